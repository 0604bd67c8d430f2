"""Answers with a number for an action.

forfeits: 2=malformed
detail: Expected `str`, got `int` in `action`
"""

import raw

raw.play(raw.change(action=5))
