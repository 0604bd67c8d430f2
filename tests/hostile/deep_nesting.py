"""Answers with 100,000 brackets.

forfeits: 2=malformed
"""

import raw

raw.play(lambda *_: b"[" * 100_000)
