"""Stops its whole group, a child among it.

levels: none process sandbox
limits: move_ms=600
forfeits: 2=timeout
"""

import os
import signal
import subprocess

import raw

subprocess.Popen(["sleep", "1000"])
raw.play(lambda *_: os.killpg(0, signal.SIGSTOP))
