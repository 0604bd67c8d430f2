"""Says hello with no table at all.

given up: malformed hello: Expected `int` >= 1 in `max_tables`
"""

import raw

socket = raw.connect()
socket.send_json([raw.hello(max_tables=0)])
socket.recv()
