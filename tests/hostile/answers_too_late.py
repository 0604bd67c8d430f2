"""Answers when its time is over, and goes on answering.

limits: move_ms=400
forfeits: 2=timeout
detail: no answer in 400 ms (+50) at decision 2
"""

import time

import raw

socket = raw.handshake()


def misdeed(answers, bad):
    time.sleep(0.75)  # a busy machine may be late itself, and whoever is late gives time back
    while True:
        socket.send_json(answers)


raw.serve(socket, misdeed)
