"""Answers, then answers once more at a table that it was never given.

levels: none process
forfeits: any=malformed
detail: an answer to a decision that was never asked
"""

import raw

socket = raw.handshake()


def misdeed(answers, bad):
    socket.send_json(answers)
    return [{**answers[bad], "table": 99}]


raw.serve(socket, misdeed, once=True)
