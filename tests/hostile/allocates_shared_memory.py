"""Fills memory that could be shared, which a limit of one process does not count.

levels: none process sandbox
limits: memory_bytes=200000000
forfeits: 2=memory
detail: memory limit 200 MB
"""

import mmap
import time

import raw


def misdeed(answers, bad):
    held = mmap.mmap(-1, 300_000_000)
    held.write(b"x" * 100_000_000)
    held.write(b"x" * 100_000_000)
    held.write(b"x" * 100_000_000)
    time.sleep(20)


raw.play(misdeed)
