"""Sends messages whose type would steer a terminal, hide or turn.

games: 15
forfeits: all=malformed
detail: Invalid value
"""

import raw

raw.play([raw.change(type=trap) for trap in raw.TRAPS])
