"""Says hello with fewer tables than none.

given up: malformed hello: Expected `int` >= 1 in `max_tables`
"""

import raw

socket = raw.connect()
socket.send_json([raw.hello(max_tables=-(2**63))])
socket.recv()
