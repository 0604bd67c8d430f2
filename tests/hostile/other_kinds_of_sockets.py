"""Knocks with every kind of socket that there is.

forfeits: none
"""

import os
from contextlib import suppress

import raw

KINDS = ("PAIR", "PUB", "SUB", "REQ", "REP", "DEALER", "ROUTER", "PULL", "PUSH", "XPUB", "STREAM")
sockets = []
for kind in KINDS:
    socket = raw.zmq.Context.instance().socket(getattr(raw.zmq, kind))
    socket.linger = 0
    socket.connect(os.environ["ARENA_ENDPOINT"])
    with suppress(raw.zmq.ZMQError):
        socket.send_multipart([b"", b"[]"], raw.zmq.NOBLOCK)
    sockets.append(socket)
raw.play(raw.nothing)
