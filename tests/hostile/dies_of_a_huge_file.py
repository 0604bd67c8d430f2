"""Dies by the signal that a file too large brings.

levels: process
forfeits: 2=crash
detail: killed by SIGXFSZ at decision 2
"""

import os
import signal
from pathlib import Path

import raw

signal.signal(signal.SIGXFSZ, signal.SIG_DFL)


def misdeed(answers, bad):
    with Path(os.environ["HOME"], "huge").open("wb", buffering=0) as file:
        file.truncate(1_000_000_000)


raw.play(misdeed)
