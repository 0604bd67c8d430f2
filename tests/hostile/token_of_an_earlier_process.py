"""Crashes, then greets by the token of the process that crashed before it says its own.

levels: none process
forfeits: any=crash
detail: exited 7
"""

import os
from pathlib import Path

import raw

OLD = Path(os.environ["HOSTILE_MEMORY"] + ".token")


def misdeed(answers, bad):
    OLD.write_text(os.environ["ARENA_TOKEN"])
    os._exit(7)


if OLD.exists():
    stranger = raw.connect()
    for _ in range(20):
        stranger.send_json([raw.hello(token=OLD.read_text(), max_tables=64)])
        stranger.send(b"[]")
raw.play(misdeed, once=True)
