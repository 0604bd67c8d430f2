"""Prints much when it is told to go, and is given the time for it.

forfeits: none
log: the very last words
"""

import raw

raw.play(lambda *_: None)
print("x" * 1_000_000)
print("the very last words")
