"""Says hello and no more.

given up: no ready frame [] within 1000 ms
limits: start_ms=1000
"""

import time

import raw

socket = raw.connect()
socket.send_json([raw.hello()])
time.sleep(1000)
