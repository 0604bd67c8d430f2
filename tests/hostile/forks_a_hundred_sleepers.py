"""Begins a hundred processes that sleep.

levels: none process sandbox
forfeits: none
forfeits at none: 2=flood
forfeits at process as user: 2=flood
detail: more than 64 processes and threads
log at process as root: refused: BlockingIOError
log at sandbox: refused: BlockingIOError
"""

import os
import time

import raw


def fork():
    for _ in range(100):
        if not os.fork():
            time.sleep(1000)
    time.sleep(20)


raw.play(lambda *_: raw.is_refused(fork) and None)
