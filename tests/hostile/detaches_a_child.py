"""Leaves a child behind that has run away: another session, no parent, no environment.

levels: none process sandbox
forfeits: none
"""

import raw

raw.detach(lambda: None)
raw.play(raw.nothing)
