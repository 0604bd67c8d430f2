"""Fills its home with many files until there is no room.

levels: sandbox
forfeits: none
log: refused: OSError(28, 'No space left on device')
"""

import os
from pathlib import Path

import raw


def fill():
    for number in range(1000):
        Path(os.environ["TMPDIR"], str(number)).write_bytes(bytes(1_000_000))


raw.play(lambda *_: raw.is_refused(fill) and None)
