"""Dies while a child that has run away holds its output open.

levels: none process sandbox
forfeits: 2=crash
detail: exited 8 at decision 2
"""

import os

import raw


def misdeed(answers, bad):
    raw.detach(lambda: None, closed=False)
    os._exit(8)


raw.play(misdeed)
