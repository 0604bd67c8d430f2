"""Tries a hundred tokens before its own.

forfeits: none
"""

import raw

socket = raw.connect()
for number in range(100):
    socket.send_json([raw.hello(token=f"{number:032x}")])
socket.send_json([raw.hello(max_tables=64)])
socket.recv()
socket.send(b"[]")
raw.serve(socket, raw.nothing)
