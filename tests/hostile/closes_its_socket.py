"""Closes its socket when it should answer, and stays alive.

forfeits: 2=timeout
limits: move_ms=600
"""

import time

import raw

socket = raw.handshake()


def misdeed(answers, bad):
    socket.close()
    time.sleep(1000)


raw.serve(socket, misdeed)
