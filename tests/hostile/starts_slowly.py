"""Takes longer to start than it may for a move.

forfeits: none
limits: move_ms=600
"""

import time

import raw

time.sleep(1)
raw.play(lambda *_: None)
