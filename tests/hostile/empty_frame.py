"""Answers with nothing at all.

forfeits: 2=malformed
detail: Input data was truncated
"""

import raw

raw.play(lambda *_: b"")
