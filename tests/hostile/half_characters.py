"""Escapes halves of characters in every text, which no program can store.

games: 6
forfeits: all=malformed
"""

import raw

raw.play(
    [
        raw.change(action="\udfff"),
        raw.change(note="\ud83d"),
        raw.change(note="\udc00\ud800"),
        raw.change(type="fail", detail="x\udcff"),
        raw.change(type="\ud800"),
        raw.change(x="\ud800"),
    ]
)
