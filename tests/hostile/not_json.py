"""Answers with something else than JSON.

forfeits: 2=malformed
detail: JSON is malformed: invalid character
got: order!
"""

import raw

raw.play(lambda *_: b"order!\x1b[2J")
