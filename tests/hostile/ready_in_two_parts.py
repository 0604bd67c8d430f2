"""Says that it is ready in two parts.

given up: a frame must be one message part
"""

import raw

socket = raw.connect()
socket.send_json([raw.hello()])
socket.recv()
socket.send_multipart([b"[", b"]"])
socket.recv()
