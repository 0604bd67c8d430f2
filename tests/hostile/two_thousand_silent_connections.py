"""Opens 2,000 connections that say nothing, with the help of two children.

levels: process sandbox
forfeits: 2=flood
"""

import os
import socket
import time

import raw


def connect():
    held = []
    for _ in range(1000):
        one = socket.socket(socket.AF_UNIX)
        one.connect(os.environ["ARENA_ENDPOINT"].removeprefix("ipc://"))
        held.append(one)
    return held


def misdeed(answers, bad):
    for _ in range(2):
        if not os.fork():
            held = connect()
            raw.say(f"{len(held)} connections")
            time.sleep(1000)
    time.sleep(1)


raw.play(misdeed)
