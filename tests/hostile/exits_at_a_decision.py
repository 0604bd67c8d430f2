r"""Exits without an error when it should answer.

forfeits: 2=crash
detail: exited 0 at decision 2
got: goodbye, cruel \x1b[31mworld
"""

import os

import raw


def misdeed(answers, bad):
    raw.say("goodbye, cruel \x1b[31mworld")
    os._exit(0)


raw.play(misdeed)
