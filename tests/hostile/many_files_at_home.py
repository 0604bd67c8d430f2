"""Leaves five thousand files at home.

forfeits: none
"""

import os
from pathlib import Path

import raw

for number in range(5000):
    Path(os.environ["HOME"], str(number)).touch()
raw.play(raw.nothing)
