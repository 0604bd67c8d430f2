"""Stops and kills the processes of its own parent, its neighbour among them.

levels: sandbox
levels as root: process sandbox
forfeits: none
log: killed: 0
"""

import os
import signal
from pathlib import Path

import raw


def misdeed(answers, bad):
    killed = 0
    for folder in Path("/proc").glob("[0-9]*"):
        fields = (folder / "stat").read_text().rpartition(")")[2].split()
        if int(fields[1]) == os.getppid() and int(folder.name) != os.getpid():
            killed += not raw.is_refused(os.kill, int(folder.name), signal.SIGKILL)
    raw.say(f"killed: {killed}")


raw.play(misdeed)
