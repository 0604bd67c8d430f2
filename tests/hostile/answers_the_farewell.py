"""Answers the farewell a thousand times.

forfeits: none
"""

import raw

socket = raw.handshake()
raw.serve(socket, raw.nothing)
for _ in range(1000):
    socket.send_json([raw.hello()])
