"""Stops itself when it is told to go.

forfeits: none
"""

import os
import signal

import raw

raw.play(raw.nothing)
os.kill(os.getpid(), signal.SIGSTOP)
