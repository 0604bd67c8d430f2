"""Fails to start the first time.

levels: none process
forfeits: 0=no_start
detail: exited 3 before hello
"""

import sys

import raw

if raw.is_first_time():
    sys.exit(3)
raw.play(lambda *_: None)
