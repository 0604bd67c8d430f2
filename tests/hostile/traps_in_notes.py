"""Adds notes that would steer a terminal, hide or turn: they are its own affair.

games: 15
forfeits: none
"""

import raw

raw.play([raw.change(note=trap) for trap in raw.TRAPS])
