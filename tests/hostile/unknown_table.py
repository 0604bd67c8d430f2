"""Answers at a table that it was never given.

forfeits: 2=malformed
detail: an answer to a decision that was never asked
"""

import raw

raw.play(raw.change(table=99))
