"""Overwrites and deletes what it runs from.

levels: sandbox
levels as root: process sandbox
forfeits: none
log: changed: 0
"""

from pathlib import Path

import raw


def misdeed(answers, bad):
    attempts = [
        lambda: Path("raw.py").write_bytes(b""),
        lambda: Path("raw.py").chmod(0o777),
        lambda: Path("raw.py").rename("gone.py"),
        lambda: Path("raw.py").unlink(),
        lambda: Path("new.py").touch(),
    ]
    raw.say(f"changed: {sum(not raw.is_refused(attempt) for attempt in attempts)}")


raw.play(misdeed)
