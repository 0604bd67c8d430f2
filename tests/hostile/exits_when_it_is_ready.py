"""Exits as soon as it is ready, each time: each of its processes costs a game.

forfeits: all=crash
detail: exited 0
"""

import raw

socket = raw.handshake()
socket.close()
raw.zmq.Context.instance().term()
