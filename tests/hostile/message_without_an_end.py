"""Sends part after part of a message that never ends, half a gigabyte of it.

levels: none process
limits: move_ms=2000
forfeits: any=flood
not yet: what is unfinished is not counted
"""

import time

import raw

socket = raw.handshake()


def misdeed(answers, bad):
    for _ in range(500):
        socket.send(bytes(1_000_000), raw.zmq.SNDMORE)
    time.sleep(1000)


raw.serve(socket, misdeed, once=True)
