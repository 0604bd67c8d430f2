"""Answers with as much as it may.

forfeits at 1 table: none
forfeits at 4 tables: none
"""

import json

import raw


def misdeed(answers, bad):
    rest = 4096 - len(json.dumps([{**answers[bad], "x": ""}]))
    answers[bad]["x"] = "x" * rest


raw.play(misdeed)
