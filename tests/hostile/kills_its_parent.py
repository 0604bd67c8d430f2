"""Kills its parent, and stops it.

levels: sandbox
levels as root: process sandbox
forfeits: none
"""

import os
import signal

import raw


def misdeed(answers, bad):
    for number in (signal.SIGSTOP, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL):
        raw.is_refused(os.kill, os.getppid(), number)


raw.play(misdeed)
