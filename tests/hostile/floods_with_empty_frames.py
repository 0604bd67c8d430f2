"""Sends a hundred thousand empty frames.

levels: none process
forfeits: any=malformed
detail: Input data was truncated
"""

import raw

socket = raw.handshake()


def misdeed(answers, bad):
    for _ in range(100_000):
        socket.send(b"")


raw.serve(socket, misdeed, once=True)
