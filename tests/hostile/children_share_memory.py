"""Has ten children that share its memory: together they need no more than one of them.

levels: none process sandbox
limits: memory_bytes=300000000
forfeits: none
"""

import os
import time

import raw

held = b"x" * 100_000_000


def misdeed(answers, bad):
    for _ in range(10):
        if not os.fork():
            time.sleep(1000)
    time.sleep(0.2)


raw.play(misdeed)
