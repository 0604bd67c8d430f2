"""Repeats fields and adds unknown ones of every kind: the last of a name counts.

forfeits: none
"""

import json

import raw


def misdeed(answers, bad):
    answers[bad] |= {"x": [{"type": "act"}, None, True, -1e-300, {"table": 99}], "": ""}
    text = json.dumps(answers)
    return text.replace('"seq": 2', '"seq": 99, "action": "x", "seq": 2').encode()


raw.play(misdeed)
