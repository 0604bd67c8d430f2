"""Says hello with the truth for a number.

given up: malformed hello: Expected `int`, got `bool` in `max_tables`
"""

import raw

socket = raw.connect()
socket.send_json([raw.hello(max_tables=True)])
socket.recv()
