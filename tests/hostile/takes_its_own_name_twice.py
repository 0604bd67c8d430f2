"""Connects a second time under the name that its first connection has.

forfeits: none
"""

import os

import raw


def connect():
    socket = raw.zmq.Context.instance().socket(raw.zmq.DEALER)
    socket.identity = b"\x1b[31m\xff\r\n" * 20
    socket.linger = 0
    socket.connect(os.environ["ARENA_ENDPOINT"])
    return socket


mine = connect()
mine.send_json([raw.hello(max_tables=64)])
mine.recv()
mine.send(b"[]")


def misdeed(answers, bad):
    other = connect()
    other.send_json([raw.hello()])
    other.send_json([{"type": "nonsense"}])


raw.serve(mine, misdeed)
