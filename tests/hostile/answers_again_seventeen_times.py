"""Says one answer 17 times more: one too many.

levels: none process
forfeits: any=flood
detail: more than 16 repeated answers or hellos
"""

import raw

socket = raw.handshake()


def misdeed(answers, bad):
    socket.send_json(answers + [answers[bad]] * 8)
    for _ in range(8):
        socket.send_json([answers[bad]])
    return [{**answers[bad], "action": "another"}]


raw.serve(socket, misdeed, once=True)
