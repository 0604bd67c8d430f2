"""Opens as many connections that say nothing as it may, 2,000 at most, with four children.

levels: process sandbox
forfeits: 2=flood
"""

import contextlib
import os
import socket
import time

import raw


def connect():
    held = []
    with contextlib.suppress(OSError):  # it may not open more files
        for _ in range(500):
            one = socket.socket(socket.AF_UNIX)
            one.connect(os.environ["ARENA_ENDPOINT"].removeprefix("ipc://"))
            held.append(one)
    return held


def misdeed(answers, bad):
    for _ in range(4):
        if not os.fork():
            held = connect()
            raw.say(f"{len(held)} connections")
            time.sleep(1000)
    time.sleep(1)


raw.play(misdeed)
