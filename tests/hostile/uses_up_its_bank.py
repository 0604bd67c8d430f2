"""Uses up the time of a whole game.

forfeits: 2=timeout
detail: the game's 1000 ms (+50) ran out at decision 2
limits: game_ms=1000 move_ms=1500
"""

import time

import raw

raw.play(lambda *_: time.sleep(1000))
