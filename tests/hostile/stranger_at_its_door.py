"""Is pestered by a stranger with wrong tokens and noise, without end.

forfeits: none
"""

import threading

import raw


def knock():
    stranger = raw.connect()
    while True:
        stranger.send_json([raw.hello(token="0" * 32)])
        stranger.send(b"noise" * 100)
        stranger.send_multipart([b"a", b"b"])


threading.Thread(target=knock, daemon=True).start()
raw.play(lambda *_: None)
