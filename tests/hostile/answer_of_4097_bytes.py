"""Answers with one byte more than it may, however many decisions are in the frame.

forfeits: 2=malformed
detail: more than the limit of 4096 bytes per decision
"""

import json

import raw


def misdeed(answers, bad):
    rest = 4097 - len(json.dumps({**answers[bad], "x": ""}))
    answers[bad]["x"] = "x" * rest


raw.play(misdeed)
