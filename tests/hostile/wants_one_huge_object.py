"""Wants one object of ten gigabytes.

levels: process sandbox
forfeits: 2=memory
detail: memory limit 512 MB
got: MemoryError
"""

import raw

raw.play(lambda *_: bytes(10_000_000_000))
