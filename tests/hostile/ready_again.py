"""Says that it is ready while it owes an answer to nothing.

levels: none process
forfeits: any=malformed
detail: exactly one answer for each decision expected
"""

import raw

socket = raw.handshake()


def misdeed(answers, bad):
    socket.send_json(answers)
    return b"[]"


raw.serve(socket, misdeed, once=True)
