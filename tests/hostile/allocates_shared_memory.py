"""Fills memory that could be shared: no limit of one process counts it, a sandbox has none.

levels: none process sandbox
limits: memory_bytes=200000000
forfeits: 2=memory
detail: memory limit 200 MB
forfeits at sandbox: 2=crash
detail at sandbox: exited 1 at decision 2
log at sandbox: Operation not permitted
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
