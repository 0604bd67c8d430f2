"""Answers with bytes that are no UTF-8.

forfeits: 2=malformed
detail: not UTF-8
"""

import json

import raw

raw.play(lambda answers, _: json.dumps(answers).encode().replace(b"play", b"pl\xe4y") + b"\xff")
