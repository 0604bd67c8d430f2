"""Names a decision by numbers at every border.

games: 20
forfeits: all=malformed
"""

import raw

NUMBERS = [-1, 2**31, 2**53 - 1, 2**53, 2**63, 2**64, 1e308, True, "1", None]
raw.play([raw.change(seq=n) for n in NUMBERS] + [raw.change(table=n) for n in NUMBERS])
