"""Kills its whole group.

levels: none process sandbox
forfeits: 2=crash
detail: killed by SIGKILL at decision 2
"""

import os
import signal

import raw

raw.play(lambda *_: os.killpg(0, signal.SIGKILL))
