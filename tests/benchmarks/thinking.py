"""Target 3: what the arena adds to bots that think, one match on one core, one table."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from tests.benchmarks.figures import Bound, Reading
from tests.benchmarks.rounds import Round
from tests.benchmarks.tournament import THINKING_BOT, bots, played

_THINK_US = 1_000
_BOARDS = 150
_TIMES_THINKING = Bound("most", 1.05)


def measure(this: Round) -> Iterator[Reading]:
    """Hold the time from the first decision to the last, on one core, to what bots thought in it.

    So starts between jobs are in it, and what is before the first game is not.
    """
    boards = this.scaled(_BOARDS)
    entrants = bots(2, THINKING_BOT, us=_THINK_US)
    with on_one_core(), played(entrants, boards=boards, tables=1, run={"workers": 1}) as found:
        notes = [note for record in found.records() for _, note in record.notes]
    thoughts_ns = [tuple(map(int, note.split())) for note in notes]
    thought_ns = sum(ended - began for began, ended in thoughts_ns)
    wall_ns = max(ended for _, ended in thoughts_ns) - min(began for began, _ in thoughts_ns)
    row = "bots that think 1 ms, 1 core, 1 table: x their thinking"
    yield Reading("3", row, wall_ns / 1e9, "s", wall_ns / thought_ns, _TIMES_THINKING)


@contextmanager
def on_one_core() -> Iterator[None]:
    """Let everything that begins meanwhile run on one core."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
