"""Fills texts to one character more than their limit.

games: 3
forfeits: all=malformed
detail: Expected `str` of length <=
"""

import raw

raw.play(
    [
        raw.change(note="x" * 201),
        raw.change(action="x" * 65),
        raw.change(type="fail", detail="x" * 1001),
    ]
)
