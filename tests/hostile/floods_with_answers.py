"""Says one answer a thousand times more.

levels: none process
forfeits: any=flood
detail: more than 16 repeated answers or hellos
"""

import raw

socket = raw.handshake()


def misdeed(answers, bad):
    for _ in range(1000):
        socket.send_json(answers)


raw.serve(socket, misdeed, once=True)
