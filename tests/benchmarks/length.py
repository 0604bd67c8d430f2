"""Target 5: a long tournament costs no more memory and goes no slower, and its results stream."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from tests.benchmarks.figures import Bound, Reading
from tests.benchmarks.processes import running
from tests.benchmarks.rounds import Round
from tests.benchmarks.tournament import arranged, bots, results_folder
from tests.benchmarks.watched import MB, arena_words, watched

_BOARDS = 50_000
_EVERY_S = 0.5
_GROWTH_MB = Bound("most", 10.0)
_LAST_TENTH = Bound("least", 0.9)
_PEAK_MB = Bound("most", 500.0)


class Look(NamedTuple):
    """A run as it was at a moment."""

    at_s: float
    games: int
    memory_bytes: int


def measure(this: Round) -> Iterator[Reading]:
    """Play two random bots, looking at it all the time; then rank and export the results."""
    boards = this.scaled(_BOARDS, least=100)
    keys = {"boards": boards, "tables": 64, "run": {"workers": 2}}
    with arranged(bots(2), **keys) as config:
        seen = _looks(config)
        games = f"{2 * boards:,} games"
        if (grown := growth_bytes(seen)) is not None:
            most = max(look.memory_bytes for look in seen) / MB
            row = f"{games}, coordinator and workers: MB grown"
            yield Reading("5", row, most, "MB", grown / MB, _GROWTH_MB)
        if (tenths := first_and_last_tenth(seen)) is not None:
            row = f"{games}, last tenth: x as fast as the first"
            yield Reading("5", row, tenths[1], "games/s", tenths[1] / tenths[0], _LAST_TENTH)
        for command in ("rankings", "export"):
            spent = watched(arena_words(command, str(config)))
            row = f"{games}, {command}: MB at most"
            yield Reading("5", row, spent.cpu_s, "s CPU", spent.peak_bytes / MB, _PEAK_MB)


def _looks(config: Path) -> list[Look]:
    with running(config) as run:
        found = []
        while not run.is_over:
            memory_bytes = run.memory_bytes()
            found.append(Look(time.monotonic(), _stored(config), memory_bytes))
            time.sleep(_EVERY_S)
    return found


def _stored(config: Path) -> int:
    """Count the games that are stored; 0 while there is no file."""
    file = results_folder(config) / "results.sqlite"
    try:
        with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as connection:
            ((games,),) = connection.execute("SELECT count(*) FROM games")
    except sqlite3.OperationalError:
        return 0
    return int(games)


def growth_bytes(seen: list[Look]) -> int | None:
    """Return by how much the most within the last tenth is more than within the second.

    The first is left out: there a worker sees its first jobs. None if it was too short to tell.
    """
    most = seen[-1].games if seen else 0
    early = [look.memory_bytes for look in seen if most < 10 * look.games <= 2 * most]
    late = [look.memory_bytes for look in seen if 9 * most <= 10 * look.games]
    return max(late) - max(early) if early and late else None


def first_and_last_tenth(seen: list[Look]) -> tuple[float, float] | None:
    """Return the games per second of both; None if it was too short to tell.

    Games come by whole jobs, so a tenth is from one change of their number to another.
    """
    changes = [now for before, now in pairwise(seen) if now.games > before.games]
    most = changes[-1].games if changes else 0
    first = [look for look in changes if 10 * look.games <= 2 * most]
    last = [look for look in changes if 9 * most <= 10 * look.games]
    if min(len(first), len(last)) < 2:
        return None
    rates = [(b.games - a.games) / (b.at_s - a.at_s) for a, *_, b in (first, last)]
    return rates[0], rates[1]
