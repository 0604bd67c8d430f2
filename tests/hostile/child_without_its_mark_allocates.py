"""Fills memory in children that have run away and lowered what they might be known by.

levels: none process sandbox
limits: memory_bytes=200000000
forfeits: 2=memory
detail: memory limit 200 MB
not yet at none: whoever spoils its mark is not counted
not yet at process: whoever spoils its mark is not counted
"""

import resource
import time

import raw


def fill():
    for limit in (10, 15):
        resource.setrlimit(limit, (0, 0))
    held = b"x" * 150_000_000
    time.sleep(1)
    raw.say(f"{len(held)} bytes")


def misdeed(answers, bad):
    for _ in range(2):
        raw.detach(fill)
    time.sleep(1)


raw.play(misdeed)
