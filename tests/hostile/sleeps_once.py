"""Takes too long once: among several decisions that is nobody's fault.

levels: none process
forfeits at 1 table: 2=timeout
forfeits at 4 tables: none
limits: move_ms=600
"""

import time

import raw

raw.play(lambda *_: time.sleep(1000), once=True)
