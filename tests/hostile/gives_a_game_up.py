r"""Gives one game up; its process plays on.

forfeits: 2=crash
starts: 1
detail: the bot gave the game up at decision 2
got: KeyError: '\x1b9S'
"""

import raw


def misdeed(answers, bad):
    act = answers[bad]
    answers[bad] = {**act, "type": "fail", "detail": "KeyError: '\x1b9S'"}


raw.play(misdeed)
