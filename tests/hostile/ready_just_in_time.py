"""Says hello late and is ready later, but within its time.

limits: start_ms=4000
forfeits: none
"""

import time

import raw

time.sleep(0.5)
socket = raw.connect()
socket.send_json([raw.hello(max_tables=64)])
socket.recv()
time.sleep(1)
socket.send(b"[]")
raw.serve(socket, raw.nothing)
