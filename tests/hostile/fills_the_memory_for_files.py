"""Fills every folder that lies in memory until there is no room.

levels: sandbox
forfeits: none
log: refused: OSError(28, 'No space left on device')
"""

from pathlib import Path

import raw


def fill(folder):
    for number in range(1000):
        Path(folder, str(number)).write_bytes(bytes(1_000_000))


def misdeed(answers, bad):
    for folder in ("/dev/shm", "/dev", "/run", "/arena", "/"):
        raw.is_refused(fill, folder)


raw.play(misdeed)
