"""Sends part after part of a message that never ends: half a gigabyte that the arena must keep.

levels: process sandbox
limits: move_ms=3000
forfeits: 2=flood
"""

import os
import socket
import time

import raw

GREETING = b"\xff" + bytes(8) + b"\x7f\x03\x00NULL" + bytes(48)
READY = b"\x05READY\x0bSocket-Type\x00\x00\x00\x06DEALER"
PART = b"\x03" + (1_000_000).to_bytes(8) + bytes(1_000_000)
"""The protocol of the transport by hand: its library would keep the parts to itself."""
held = []


def misdeed(answers, bad):
    one = socket.socket(socket.AF_UNIX)
    held.append(one)
    one.connect(os.environ["ARENA_ENDPOINT"].removeprefix("ipc://"))
    one.sendall(GREETING + bytes((4, len(READY))) + READY)
    for _ in range(500):
        one.sendall(PART)
    raw.say("sent")
    time.sleep(1)


raw.play(misdeed)
