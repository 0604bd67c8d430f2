"""Fills memory through files that have no name and are mapped nowhere.

levels: none process sandbox
limits: memory_bytes=200000000
forfeits: 2=memory
detail: memory limit 200 MB
"""

import os
import time

import raw


def misdeed(answers, bad):
    for _ in range(6):
        file = os.memfd_create("x")
        for _ in range(5):
            os.write(file, b"x" * 10_000_000)
    time.sleep(1)


raw.play(misdeed)
