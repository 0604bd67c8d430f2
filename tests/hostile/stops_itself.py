"""Stops itself by a signal.

forfeits: 2=timeout
limits: move_ms=600
"""

import os
import signal

import raw

raw.play(lambda *_: os.kill(os.getpid(), signal.SIGSTOP))
