"""Looks for the token of its neighbour, and greets with what it finds.

levels: none process sandbox
forfeits: none
log at process as root: tokens: 0
log at sandbox: tokens: 0
"""

import os
from pathlib import Path

import raw

OWN = os.environ["ARENA_TOKEN"]


def neighbours():
    """Return the processes of the same parent."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == os.getppid():
            yield folder


def variables():
    for folder in neighbours():
        try:
            text = (folder / "environ").read_bytes()
        except OSError:
            continue
        found = dict(one.split(b"=", 1) for one in text.split(b"\0") if b"=" in one)
        if b"ARENA_TOKEN" in found and found[b"ARENA_TOKEN"].decode() != OWN:
            yield found


def misdeed(answers, bad):
    stolen = list(variables())
    raw.say(f"tokens: {len(stolen)}")
    for one in stolen:
        socket = raw.zmq.Context.instance().socket(raw.zmq.DEALER)
        socket.linger = 1000
        socket.connect(one[b"ARENA_ENDPOINT"].decode())
        socket.send_json([raw.hello(token=one[b"ARENA_TOKEN"].decode())])
        socket.send_json(answers)


raw.play(misdeed)
