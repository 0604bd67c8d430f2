"""Is visited by a stranger who sends messages of many parts as long as it plays.

forfeits: none
"""

import threading

import raw


def knock():
    stranger = raw.connect()
    while True:
        stranger.send_multipart([b"x" * 1000] * 100)


threading.Thread(target=knock, daemon=True).start()
raw.play(raw.nothing)
