"""Adds fields whose names and values would steer a terminal, hide or turn.

games: 15
forfeits: none
"""

import raw

raw.play([raw.change(**{trap: trap}) for trap in raw.TRAPS])
