"""Takes four fifths of its limit for a decision of two games.

limits: move_ms=500
forfeits: none
"""

import time

import raw

raw.play([lambda *_: time.sleep(0.4)] * 2)
