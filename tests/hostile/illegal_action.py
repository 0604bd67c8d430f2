r"""Plays a card that is none; its process plays on.

forfeits: 2=illegal
starts: 1
detail: 'play:\x1bZZ' at decision 2 is not legal; legal:
"""

import raw

raw.play(raw.change(action="play:\x1bZZ"))
