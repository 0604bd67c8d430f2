"""Nests folders at home more deeply than a program can call itself.

forfeits: none
"""

import os
from pathlib import Path

import raw

os.chdir(os.environ["HOME"])
for _ in range(3000):
    Path("x").mkdir()
    os.chdir("x")
raw.play(raw.nothing)
