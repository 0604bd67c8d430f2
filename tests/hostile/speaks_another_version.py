"""Speaks a version of the protocol that is not ours.

given up: protocol version 1 expected, the bot speaks 7
"""

import raw

socket = raw.connect()
socket.send_json([raw.hello(protocol=7)])
socket.recv()
