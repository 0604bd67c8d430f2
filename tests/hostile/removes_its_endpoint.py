"""Removes the socket where the arena listens, or puts something else there.

levels: none process sandbox
forfeits: none
log at sandbox: changed: 0
log at process as root: changed: 0
"""

import os
from pathlib import Path

import raw

endpoint = Path(os.environ["ARENA_ENDPOINT"].removeprefix("ipc://"))


def misdeed(answers, bad):
    attempts = [
        lambda: endpoint.rename(endpoint.with_name("gone")),
        lambda: endpoint.with_name("gone").unlink(),
        endpoint.mkdir,
    ]
    raw.say(f"changed: {sum(not raw.is_refused(attempt) for attempt in attempts)}")


raw.play(misdeed)
