"""Leaves the answer to one decision out.

forfeits: 2=malformed
detail: exactly one answer for each decision expected
"""

import raw


def misdeed(answers, bad):
    del answers[bad]


raw.play(misdeed)
