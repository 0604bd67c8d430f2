"""Answers with a NaN.

forfeits: 2=malformed
detail: JSON is malformed: invalid character
"""

import raw

raw.play(raw.change(seq=float("nan")))
