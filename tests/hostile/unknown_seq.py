"""Answers a decision that was not asked yet.

forfeits: 2=malformed
detail: an answer to a decision that was never asked
"""

import raw

raw.play(raw.change(seq=99))
