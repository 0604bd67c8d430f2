"""Answers before anything was asked.

given up: an empty frame [] expected when ready, not an answer
"""

import raw

socket = raw.connect()
socket.send_json([raw.hello()])
socket.recv()
socket.send_json([{"type": "act", "table": 0, "seq": 0, "action": "pass"}])
socket.recv()
