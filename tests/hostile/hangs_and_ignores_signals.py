"""Hangs with a child, deaf to all signals but SIGKILL.

forfeits: 2=timeout
limits: move_ms=600
"""

import signal
import subprocess
import time

import raw

for number in range(1, 32):
    if number not in {signal.SIGKILL, signal.SIGSTOP, signal.SIGCHLD}:
        signal.signal(number, signal.SIG_IGN)
subprocess.Popen(["sleep", "1000"])


def misdeed(answers, bad):
    while True:
        time.sleep(1000)


raw.play(misdeed)
