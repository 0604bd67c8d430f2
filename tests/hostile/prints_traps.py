r"""Prints what would steer a terminal, hide or turn, and bytes that are no text; then it dies.

forfeits: 2=crash
detail: exited 1 at decision 2
got: \u202egnp.exe
log: \x1b[2J
"""

import os

import raw


def misdeed(answers, bad):
    os.write(2, b"\xff\xfe\xc0\x80\xed\xa0\x80\n")
    for trap in raw.TRAPS:
        raw.say(trap)
    os._exit(1)


raw.play(misdeed)
