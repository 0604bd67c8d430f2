"""Fills memory in children that have run away and lowered what they might be known by.

Whose they were nobody knows then, so they are killed as soon as they are seen.

levels: none process sandbox
limits: memory_bytes=200000000
forfeits: none
forfeits at sandbox: 2=memory
detail: memory limit 200 MB
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
