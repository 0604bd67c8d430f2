"""Leaves a child behind that has run away and lowered every limit that it might be known by.

levels: none process sandbox
forfeits: none
"""

import resource

import raw


def unmark():
    for limit in {resource.RLIMIT_RTPRIO, resource.RLIMIT_NICE, 10, 15}:
        resource.setrlimit(limit, (0, 0))


raw.detach(unmark)
raw.play(raw.nothing)
