"""Fills every text to its limit.

games: 4
forfeits: 1=illegal 2=crash
starts: 1
"""

import raw

raw.play(
    [
        raw.change(note="\U0001f468" * 200),
        raw.change(action="\u6f22" * 64),
        raw.change(type="fail", detail="\u0301" * 600),
        raw.change(note=None),
    ]
)
