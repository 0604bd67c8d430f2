"""Reserves memory without an end and never touches it.

levels: none process sandbox
limits: memory_bytes=200000000
forfeits: 2=memory
forfeits at none: none
detail: memory limit 200 MB
"""

import raw

held = []


def misdeed(answers, bad):
    while len(held) < 100:
        held.append(bytes(20_000_000))


raw.play(misdeed)
