"""Answers with a message of a hundred thousand empty parts.

forfeits: 2=malformed
detail: a frame must be one message part
"""

import raw

socket = raw.handshake()
raw.serve(socket, lambda *_: socket.send_multipart([b""] * 100_000))
