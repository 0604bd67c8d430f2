"""Whole tournaments on a config of their own, starts, records and store included."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from arena.referee.record import GameRecord
from arena.store.reader import Reader
from arena.store.rows import Result
from tests.benchmarks.watched import Spent, arena_words, watched

_HERE = Path(__file__).parent
RANDOM_BOT = _HERE.parents[1] / "bots" / "random_bot.py"
THINKING_BOT = _HERE / "thinking_bot.py"


class TournamentSpeed(NamedTuple):
    """Rates over the whole time of what was run, by the clock and by CPU."""

    decisions_per_s: float
    games_per_s: float
    decisions_per_cpu_s: float
    """Of all processes together, bots too."""


class Played(NamedTuple):
    """A tournament that is over."""

    config: Path
    spent: Spent

    def records(self) -> Iterator[GameRecord]:
        """All games, one at a time."""
        with self._reader() as reader:
            for match in reader.matches():
                for record in reader.records(match):
                    assert isinstance(record, GameRecord)
                    yield record

    def results(self) -> Iterator[Result]:
        """How they came out, without what was played."""
        with self._reader() as reader:
            for match in reader.matches():
                yield from reader.results(match)

    def speed(self) -> TournamentSpeed:
        """Return its rates, by what is in its store."""
        games = decisions = 0
        for result in self.results():
            games += 1
            decisions += sum(result.decisions)
        wall_s, cpu_s, _ = self.spent
        return TournamentSpeed(decisions / wall_s, games / wall_s, decisions / cpu_s)

    def _reader(self) -> Reader:
        return Reader.open(results_folder(self.config))


def bots(count: int, path: Path = RANDOM_BOT, **params: object) -> list[dict[str, Any]]:
    """Return so many bots of one file, as a config has them."""
    names = [f"bot{number:02}" for number in range(count)]
    return [{"name": name, "path": str(path), "params": params} for name in names]


def results_folder(config: Path) -> Path:
    """Return where the results of a config are."""
    return config.parent / "results" / config.stem


@contextmanager
def arranged(entrants: Sequence[Mapping[str, Any]], **keys: Any) -> Iterator[Path]:
    """Write a config into a folder of its own, which is removed at the end, results and all."""
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder) / "speed.yaml"
        config.write_text(json.dumps({"seed": 1, "bots": entrants, **keys}), "utf-8")
        yield config


@contextmanager
def played(entrants: Sequence[Mapping[str, Any]], **keys: Any) -> Iterator[Played]:
    """Run `arena tournament` on such a config to its end."""
    with arranged(entrants, **keys) as config:
        yield Played(config, watched(arena_words("tournament", str(config))))


def play_two_bots(
    tables: int, workers: int, boards: int, isolation: str = "process"
) -> TournamentSpeed:
    """Play a tournament of two random bots and return its rates."""
    keys = {"boards": boards, "tables": tables, "isolation": isolation}
    with played(bots(2), run={"workers": workers}, **keys) as found:
        return found.speed()
