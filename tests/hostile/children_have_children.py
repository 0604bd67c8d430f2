"""Has children that have children, each in a session of its own, as many as they may.

levels: process sandbox
forfeits: none
forfeits at process as user: 2=flood
"""

import os
import time

import raw


def multiply():
    for _ in range(7):
        try:
            is_child = not os.fork()
        except OSError:
            break
        if is_child:
            os.setsid()


def misdeed(answers, bad):
    if not os.fork():
        multiply()
        time.sleep(1000)
    time.sleep(0.3)


raw.play(misdeed)
