"""Dies by a real-time signal.

forfeits: 2=crash
detail: killed by signal 40 at decision 2
"""

import os

import raw

raw.play(lambda *_: os.kill(os.getpid(), 40))
