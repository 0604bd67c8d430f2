"""Says hello again from another address, then answers from there: nobody listens.

forfeits: 2=timeout
limits: move_ms=600
"""

import time

import raw

mine = raw.handshake()
other = raw.connect()


def misdeed(answers, bad):
    """Say hello again from another address, then answer from there: nobody listens."""
    other.send_json([raw.hello()])
    other.send_json(answers)
    time.sleep(1000)


raw.serve(mine, misdeed)
