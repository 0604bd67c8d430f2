"""Says hello again and again instead of being ready.

given up: more than 16 repeated answers or hellos
"""

import raw

socket = raw.connect()
for _ in range(18):
    socket.send_json([raw.hello()])
socket.recv()
socket.recv()
