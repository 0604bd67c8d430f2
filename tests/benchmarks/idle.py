"""Target 6: what the arena takes while it has nothing to do, because both bots think."""

from __future__ import annotations

import time
from collections.abc import Iterator

from tests.benchmarks.figures import Bound, Reading
from tests.benchmarks.processes import running
from tests.benchmarks.rounds import Round
from tests.benchmarks.tournament import THINKING_BOT, arranged, bots

_THINK_S = 5
_WATCHED_S = 10
"""At full length: two thoughts of each bot, and what is between them."""
_PERCENT = Bound("most", 2.0)


def measure(this: Round) -> Iterator[Reading]:
    """Start a tournament, wait until its bots think, watch it for a while and stop it."""
    entrants = bots(2, THINKING_BOT, us=_THINK_S * 1_000_000, sleeps=True)
    keys = {"boards": 2, "tables": 4, "run": {"workers": 1}, "limits": {"move": "1m", "game": None}}
    with arranged(entrants, **keys) as config, running(config) as run:
        run.wait_until_bots_live(2, seconds=2)
        began_s, before_s = time.monotonic(), run.cpu_s()
        time.sleep(max(1, _WATCHED_S * this.scale))
        taken_s = run.cpu_s() - before_s
        elapsed_s = time.monotonic() - began_s
    row = "arena while both bots think 5 s: % of a core"
    yield Reading("6", row, taken_s * 1000, "ms CPU", 100 * taken_s / elapsed_s, _PERCENT)
