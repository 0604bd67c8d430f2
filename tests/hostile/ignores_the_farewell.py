"""Stays when it is told to go, with a child.

forfeits: none
"""

import subprocess
import time

import raw

subprocess.Popen(["sleep", "1000"])
raw.play(lambda *_: None)
time.sleep(1000)
