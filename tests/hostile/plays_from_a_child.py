"""Forks before it connects; the child plays, the parent waits.

forfeits: none
"""

import os

import raw

if os.fork():
    os.wait()
else:
    raw.play(raw.nothing)
