"""Says hello with a version of the protocol that is no number of ours.

given up: malformed hello: Expected `int` <= 9007199254740991 in `protocol`
"""

import raw

socket = raw.connect()
socket.send_json([raw.hello(protocol=2**53)])
socket.recv()
