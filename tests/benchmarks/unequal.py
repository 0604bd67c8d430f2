"""Target 7: one slow bot among ten holds up nobody else."""

from __future__ import annotations

import time
from collections.abc import Iterator

from tests.benchmarks.figures import Bound, Reading
from tests.benchmarks.processes import running
from tests.benchmarks.rounds import Round
from tests.benchmarks.tournament import THINKING_BOT, arranged, bots

_BOTS = 10
_QUICK_US, _SLOW_US = 20, 1_000
_BOARDS = 60
_WORKERS = 2
_EVERY_S = 0.1
_BUSY = Bound("least", 0.9)


def measure(this: Round) -> Iterator[Reading]:
    """Look from outside how many workers have bots, from the first job to the end of the last."""
    slow, *quick = bots(_BOTS, THINKING_BOT, us=_QUICK_US)
    slow["params"] = {"us": _SLOW_US}
    keys = {"boards": this.scaled(_BOARDS, least=2), "tables": 64, "run": {"workers": _WORKERS}}
    began_s = time.monotonic()
    busy = []
    with arranged([slow, *quick], **keys) as config, running(config) as run:
        while not run.is_over:
            busy.append(sum(map(bool, run.bots_of_workers())))
            time.sleep(_EVERY_S)
    elapsed_s = time.monotonic() - began_s
    playing = busy[busy.index(_WORKERS) :] if _WORKERS in busy else busy
    while playing and not playing[-1]:  # the table is being made
        playing.pop()
    share = sum(playing) / len(playing) / _WORKERS
    row = f"{_BOTS} bots, one 50 times slower: share of the time that workers play"
    yield Reading("7", row, elapsed_s, "s", share, _BUSY)
