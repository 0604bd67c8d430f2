"""Says one answer 16 times more: that much is forgiven.

forfeits: none
"""

import raw

socket = raw.handshake()


def misdeed(answers, bad):
    """Say one answer 8 times more in its frame, and 8 times more afterwards."""
    socket.send_json(answers + [answers[bad]] * 8)
    for _ in range(7):
        socket.send_json([answers[bad]])
    return [{**answers[bad], "action": "another"}]


raw.serve(socket, misdeed)
