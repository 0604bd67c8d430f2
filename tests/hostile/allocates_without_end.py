"""Fills memory without an end.

levels: none process sandbox
limits: memory_bytes=200000000
forfeits: 2=memory
detail: memory limit 200 MB
"""

import raw

held = []


def misdeed(answers, bad):
    while len(held) < 100:
        held.append(b"x" * 20_000_000)


raw.play(misdeed)
