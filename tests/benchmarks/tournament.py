"""Whole tournaments between two random bots, starts, records and store included."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from arena.store.reader import Reader

_BOT = Path(__file__).parents[2] / "bots" / "random_bot.py"
_CONFIG = """
name: speed
seed: 1
boards: {boards}
tables: {tables}
run: {{workers: {workers}}}
bots: [{bot}, {{name: other, path: {bot}}}]
"""


class TournamentSpeed(NamedTuple):
    """Rates over the whole wall time of what was run."""

    decisions_per_s: float
    games_per_s: float


def play_tournament(tables: int, workers: int, boards: int) -> TournamentSpeed:
    """Run `arena tournament` on a config of its own and count what is in its store."""
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder) / "speed.yaml"
        config.write_text(
            _CONFIG.format(boards=boards, tables=tables, workers=workers, bot=_BOT), "utf-8"
        )
        began_s = time.perf_counter()
        subprocess.run(
            [sys.executable, "-m", "arena", "-q", "tournament", str(config)],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        elapsed_s = time.perf_counter() - began_s
        games = decisions = 0
        with Reader.open(config.parent / "results" / "speed") as reader:
            for match in reader.matches():
                for record in reader.records(match):
                    games += 1
                    decisions += len(record.actions)
    return TournamentSpeed(decisions / elapsed_s, games / elapsed_s)
