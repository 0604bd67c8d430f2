"""Gives games up in words that would steer a terminal, hide or turn.

games: 15
forfeits: all=crash
detail: the bot gave the game up at decision 2
starts: 1
"""

import raw

raw.play([raw.change(type="fail", detail=trap) for trap in raw.TRAPS])
