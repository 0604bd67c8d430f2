"""Answers and is gone: it dies while it owes nothing, and pays with its next decision.

forfeits at 1 table: 2=crash
forfeits at 4 tables: any=crash
detail: exited 5
"""

import json
import os

import raw

socket = raw.handshake()


def misdeed(answers, _):
    socket.send(json.dumps(answers).encode())
    socket.close()
    raw.zmq.Context.instance().term()
    os._exit(5)


raw.serve(socket, misdeed)
