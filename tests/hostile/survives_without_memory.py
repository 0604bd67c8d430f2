"""Is refused memory and plays on without it.

levels: process sandbox
limits: memory_bytes=200000000
forfeits: none
log: refused: MemoryError()
"""

import raw

raw.play(lambda *_: raw.is_refused(bytearray, 2**32) and None)
