"""Fills memory together with a child, each of them less than it may.

levels: none process sandbox
limits: memory_bytes=300000000
forfeits: 2=memory
detail: memory limit 300 MB
"""

import os
import time

import raw


def misdeed(answers, bad):
    os.fork()
    held = b"x" * 200_000_000
    time.sleep(20)
    raw.say(f"{len(held)} bytes")


raw.play(misdeed)
