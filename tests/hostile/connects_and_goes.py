"""Connects and disconnects five hundred times while it plays.

forfeits: none
"""

import os
import socket

import raw


def misdeed(answers, bad):
    for _ in range(500):
        with socket.socket(socket.AF_UNIX) as one:
            one.connect(os.environ["ARENA_ENDPOINT"].removeprefix("ipc://"))
            one.send(b"\xff")


raw.play(misdeed)
