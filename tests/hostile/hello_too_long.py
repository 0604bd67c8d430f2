"""Says hello at great length.

given up: malformed hello: more than the limit of 4096 bytes per decision
"""

import raw

socket = raw.connect()
socket.send_json([raw.hello(more="x" * 100_000)])
socket.recv()
