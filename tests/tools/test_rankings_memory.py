"""Rankings read stored games one by one, however many there are."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

from arena.ratings.scores import MatchScore
from arena.store.reader import Reader
from arena.tools.rankings import current_standings
from arena.tournament.config import load_config
from tests.benchmarks.synthetic import write_results


def peak_bytes(folder: Path, boards: int) -> int:
    """The most memory that Python objects take while results of so many boards are ranked."""
    folder.mkdir()
    won = boards // 4
    config = load_config(
        write_results(folder, [MatchScore("a", "b", won, boards - 2 * won, won)]), playing=False
    )
    with Reader.open(Path(config.results)) as reader:
        tracemalloc.start()
        try:
            standings = current_standings(config, reader)
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
    assert standings.progress.games == 2 * boards
    return peak


def test_memory_does_not_grow_with_games(tmp_path: Path) -> None:
    peak_bytes(tmp_path / "first", 10)  # what is loaded and kept for good
    few, many = (peak_bytes(tmp_path / str(boards), boards) for boards in (200, 4_000))
    assert many - few < 100_000
