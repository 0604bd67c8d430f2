"""Connects ten times by hand: silent, with half a greeting, with one that is wrong.

forfeits: none
"""

import os
import socket

import raw

GREETING = b"\xff" + bytes(8) + b"\x7f\x03\x00NULL" + bytes(48)
WORDS = [
    b"",
    GREETING[:9],
    GREETING[:10],
    GREETING[:40],
    GREETING,
    GREETING + b"\x04\xff\x05READY" + b"\xff" * 300,
    GREETING + b"\x02" + b"\xff" * 8,
    b"\xff" + bytes(8) + b"\x7f\x01\x05",
    b"\x01\x00",
    b"GET / HTTP/1.1\r\n\r\n",
]
held = []


def misdeed(answers, bad):
    for number in range(10):
        one = socket.socket(socket.AF_UNIX)
        one.connect(os.environ["ARENA_ENDPOINT"].removeprefix("ipc://"))
        one.send(WORDS[number % len(WORDS)])
        held.append(one)


raw.play(misdeed)
