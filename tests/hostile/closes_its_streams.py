"""Closes its standard streams and plays on.

forfeits: none
"""

import os

import raw

socket = raw.handshake()
for descriptor in (0, 1, 2):
    os.close(descriptor)
raw.serve(socket, lambda *_: None)
