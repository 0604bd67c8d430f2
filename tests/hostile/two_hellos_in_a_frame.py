"""Says hello twice in one frame.

given up: malformed hello: Expected `array` of length 1
"""

import raw

socket = raw.connect()
socket.send_json([raw.hello(), raw.hello()])
socket.recv()
