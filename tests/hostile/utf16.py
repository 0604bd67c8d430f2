"""Answers in UTF-16.

forfeits: 2=malformed
detail: not UTF-8
"""

import json

import raw

raw.play(lambda answers, _: json.dumps(answers).encode("utf-16"))
