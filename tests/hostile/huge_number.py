"""Answers with a number of 301 digits.

forfeits: 2=malformed
detail: Expected `int` <= 9007199254740991 in `seq`
"""

import raw

raw.play(raw.change(seq=10**300))
