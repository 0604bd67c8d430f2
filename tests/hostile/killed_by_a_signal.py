"""Dies by a signal.

forfeits: 2=crash
detail: killed by SIGSEGV at decision 2
"""

import os
import signal

import raw

raw.play(lambda *_: os.kill(os.getpid(), signal.SIGSEGV))
