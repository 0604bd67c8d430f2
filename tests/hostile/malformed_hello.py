"""Says hello with a field of a wrong type.

given up: malformed hello: Expected `int`, got `str` in `protocol`
"""

import raw

socket = raw.connect()
socket.send_json([raw.hello(protocol="one")])
socket.recv()
