"""Adds a note that is too long by one character.

forfeits: 2=malformed
detail: Expected `str` of length <= 200 in `note`
"""

import raw

raw.play(raw.change(note="x" * 201))
