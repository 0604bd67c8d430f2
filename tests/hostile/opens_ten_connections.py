"""Opens ten connections more and says nothing on them.

forfeits: none
"""

import raw

silent = [raw.connect() for _ in range(10)]
raw.play(raw.nothing)
