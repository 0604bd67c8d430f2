"""Answers with more than the transport takes: it cuts the sender off, who then is a stranger.

forfeits: 2=timeout
limits: move_ms=600
"""

import raw

raw.play(lambda *_: b"x" * 2**23)
