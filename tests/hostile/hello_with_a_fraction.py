"""Says hello with half a table.

given up: malformed hello: Expected `int`, got `float` in `max_tables`
"""

import raw

socket = raw.connect()
socket.send_json([raw.hello(max_tables=1.5)])
socket.recv()
