"""Has a child that forks and ends, again and again, so that it is never where it was.

levels: none process sandbox
forfeits: none
"""

import os
import time

import raw


def run():
    for _ in range(20_000):
        if os.fork():
            os._exit(0)
        time.sleep(0.001)


raw.detach(run)
raw.play(raw.nothing)
