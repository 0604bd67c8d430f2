"""Leaves a plain child behind when it exits.

forfeits: 2=crash
detail: exited 9 at decision 2
"""

import os
import subprocess

import raw


def misdeed(answers, bad):
    subprocess.Popen(["sleep", "1000"])
    os._exit(9)


raw.play(misdeed)
