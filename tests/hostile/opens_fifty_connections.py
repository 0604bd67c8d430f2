"""Opens fifty connections more and says nothing on them.

forfeits: none
"""

import raw

silent = [raw.connect() for _ in range(50)]
raw.play(raw.nothing)
