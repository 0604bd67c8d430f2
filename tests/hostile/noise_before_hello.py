"""Sends a thousand frames of noise before its hello, all in time.

forfeits: none
"""

import raw

socket = raw.connect()
for number in range(1000):
    socket.send(b"\xff" * number)
    socket.send_multipart([b"", b"noise"])
socket.send_json([raw.hello(max_tables=64)])
socket.recv()
socket.send(b"[]")
raw.serve(socket, raw.nothing)
