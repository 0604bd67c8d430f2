"""Writes a file of a gigabyte at home, or as much of it as it may.

levels: process sandbox
forfeits: none
log: refused: OSError(27, 'File too large')
"""

import os
from pathlib import Path

import raw


def write():
    with Path(os.environ["HOME"], "huge").open("wb", buffering=0) as file:
        for _ in range(1000):
            if file.write(bytes(1_000_000)) < 1_000_000:
                file.write(b"one more")


raw.play(lambda *_: raw.is_refused(write) and None)
