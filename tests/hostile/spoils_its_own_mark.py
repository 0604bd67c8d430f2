"""Lowers what its own processes are known by.

levels: none process sandbox
forfeits: none
"""

import resource
import time

import raw


def misdeed(answers, bad):
    for limit in (10, 15):
        resource.setrlimit(limit, (5, 5))
    time.sleep(0.2)


raw.play(misdeed)
