"""Answers with half a character.

forfeits: 2=malformed
"""

import raw

raw.play(raw.change(action="\ud800"))
