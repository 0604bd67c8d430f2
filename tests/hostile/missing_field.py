"""Answers without an action.

forfeits: 2=malformed
detail: Object missing required field `action`
"""

import raw


def misdeed(answers, bad):
    del answers[bad]["action"]


raw.play(misdeed)
