"""Answers in two parts.

forfeits: 2=malformed
detail: a frame must be one message part
"""

import raw

socket = raw.handshake()


def misdeed(answers, bad):
    socket.send(b"[", flags=raw.zmq.SNDMORE)
    return b"]"


raw.serve(socket, misdeed)
