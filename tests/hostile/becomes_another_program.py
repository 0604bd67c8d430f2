"""Becomes another program three times before it plays.

forfeits: none
"""

import os
import sys

import raw

rest = int(sys.argv[1]) if sys.argv[1:] else 3
if rest:
    os.execv(sys.executable, [sys.executable, "-u", sys.argv[0], str(rest - 1)])
raw.play(raw.nothing)
