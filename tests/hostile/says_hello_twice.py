"""Says hello three times.

forfeits: none
"""

import raw

socket = raw.connect()
socket.send_json([raw.hello(max_tables=64)])
socket.send_json([raw.hello(max_tables=1)])
socket.recv()
socket.send(b"[]")
socket.send_json([raw.hello()])
raw.serve(socket, lambda *_: None)
