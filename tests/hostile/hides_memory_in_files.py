"""Fills memory through files that have no name and are mapped nowhere.

levels: sandbox
forfeits: none
log: refused
"""

import os

import raw


def misdeed(answers, bad):
    try:
        os.memfd_create("x")
    except OSError as error:
        raw.say(f"refused: {error}")


raw.play(misdeed)
