"""Plays actions that would steer a terminal, hide or turn.

games: 15
forfeits: all=illegal
starts: 1
"""

import raw

raw.play([raw.change(action=trap[:64]) for trap in raw.TRAPS])
