"""Says hello with more tables than can be counted.

given up: malformed hello: Expected `int` <= 2147483647 in `max_tables`
"""

import raw

socket = raw.connect()
socket.send_json([raw.hello(max_tables=2**64)])
socket.recv()
