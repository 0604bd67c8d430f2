"""Says hello in time and is ready too late.

given up: no ready frame [] within 700 ms
limits: start_ms=700
"""

import time

import raw

socket = raw.connect()
socket.send_json([raw.hello()])
socket.recv()
time.sleep(0.8)
socket.send(b"[]")
socket.recv()
