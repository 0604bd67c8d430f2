"""Says hello without the token: as a stranger might.

given up: no hello within 300 ms
limits: start_ms=300
"""

import raw

socket = raw.connect()
socket.send_json([{"type": "hello", "token": "", "protocol": 1}])
socket.recv()
