"""Whole tournaments between two random bots, starts, records and store included."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from arena.referee.record import GameRecord
from arena.store.reader import Reader

_BOT = Path(__file__).parents[2] / "bots" / "random_bot.py"
_CONFIG = """
name: speed
seed: 1
boards: {boards}
isolation: {isolation}
tables: {tables}
run: {{workers: {workers}}}
bots: [{bot}, {{name: other, path: {bot}}}]
"""


class TournamentSpeed(NamedTuple):
    """Rates over the whole wall time of what was run."""

    decisions_per_s: float
    games_per_s: float


def play_tournament(
    tables: int, workers: int, boards: int, isolation: str = "process"
) -> TournamentSpeed:
    """Run `arena tournament` on a config of its own and count what is in its store."""
    began_s = time.perf_counter()
    with played(tables, workers, boards, isolation) as records:
        elapsed_s = time.perf_counter() - began_s
        games = decisions = 0
        for record in records:
            games += 1
            decisions += len(record.actions)
    return TournamentSpeed(decisions / elapsed_s, games / elapsed_s)


@contextmanager
def played(
    tables: int, workers: int, boards: int, isolation: str, bot: Path = _BOT
) -> Iterator[Iterator[GameRecord]]:
    """Run a tournament between two of a bot; yield all its games, which are read as they come."""
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder) / "speed.yaml"
        text = _CONFIG.format(
            boards=boards, tables=tables, workers=workers, isolation=isolation, bot=bot
        )
        config.write_text(text, "utf-8")
        subprocess.run(
            [sys.executable, "-m", "arena", "-q", "tournament", str(config)],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        with Reader.open(config.parent / "results" / "speed") as reader:
            yield (record for match in reader.matches() for record in reader.records(match))
