"""Says hello a hundred times in the middle of a game, once.

levels: none process
forfeits: any=flood
detail: more than 16 repeated answers or hellos
"""

import raw

socket = raw.handshake()


def misdeed(answers, bad):
    for _ in range(100):
        socket.send_json([raw.hello()])


raw.serve(socket, misdeed, once=True)
