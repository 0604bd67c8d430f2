"""Takes too long for one decision, whenever it is asked.

forfeits: 2=timeout
detail: no answer in 600 ms (+50) at decision 2
limits: move_ms=600
"""

import time

import raw

raw.play(lambda *_: time.sleep(1000))
