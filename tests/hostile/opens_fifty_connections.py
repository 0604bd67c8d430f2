"""Opens fifty connections more than it needs.

levels: none process sandbox
forfeits: 2=flood
detail: more than 16 connections
"""

import time

import raw

held = []


def misdeed(answers, bad):
    held.extend(raw.connect() for _ in range(50))
    time.sleep(20)


raw.play(misdeed)
