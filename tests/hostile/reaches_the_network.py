"""Listens on the machine's own address and connects to it, as to reach another program.

levels: sandbox
forfeits: none
log: refused: OSError(101, 'Network is unreachable')
"""

import socket

import raw


def misdeed(answers, bad):
    raw.is_refused(socket.create_connection, ("192.0.2.1", 80), 1)


raw.play(misdeed)
