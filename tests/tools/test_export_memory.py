"""An export is printed and verified game by game, however many there are."""

from __future__ import annotations

import json
import tracemalloc
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from arena import rules
from arena.referee.record import GameId, GameRecord, Target
from arena.store.reader import Reader
from arena.store.rows import Entrant, Tournament
from arena.store.store import Store
from arena.tools.export import export_lines
from arena.tools.verify import verify
from arena.tournament.config import load_config
from arena.tournament.identity import Seeds, conditions

MATCH = ("a@1", "b@1")
OPTIONS = {"target_score": 1}
FEW, MANY = 50, 650
BYTES_OF_AN_ID = 200
"""Which games it has seen `verify` must know."""
SLACK_BYTES = 20_000


def played(boards: int) -> Iterator[GameRecord]:
    """Games on their own cards in which the first legal action is always taken."""
    known = rules.load("two_handed", OPTIONS)
    seeds = Seeds(b"1", [(name, f"hash of {name}") for name in "ab"])
    for board in range(boards):
        for seating in range(2):
            state, actions = known.start(seeds.board(board)), []
            while state.to_act is not None:
                actions.append(state.legal()[0])
                state = state.apply(actions[-1])
            assert state.outcome is not None
            game = GameId(MATCH, board, seating)
            yield GameRecord(
                game, state.points, state.outcome.winner, Target(), actions=tuple(actions)
            )


def stored(folder: Path, boards: int) -> Path:
    folder.mkdir()
    path = folder / "tour.yaml"
    bots = [f"{name}.py" for name in "ab"]
    path.write_text(json.dumps({"seed": 1, "boards": boards, "options": OPTIONS, "bots": bots}))
    config = load_config(path, playing=False)
    with Store.open(Path(config.results)) as store:
        whose = Tournament(config.path, config.name, conditions(config), b"1", drawn=False)
        store.begin(whose, [Entrant(name, f"hash of {name}", {}) for name in "ab"])
        store.add(played(boards))
    return path


def peak_bytes(path: Path, use: Callable[[Iterator[bytes]], object]) -> int:
    """The most memory that Python objects take while an export is used."""
    config = load_config(path, playing=False)
    with Reader.open(Path(config.results)) as reader:
        tracemalloc.start()
        try:
            use(export_lines(config, reader))
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()


def exhaust(lines: Iterator[bytes]) -> None:
    deque(lines, maxlen=0)


def check(lines: Iterator[bytes]) -> None:
    assert verify(lines).findings == ()


@pytest.mark.parametrize(("use", "bytes_a_game"), [(exhaust, 0), (check, BYTES_OF_AN_ID)])
def test_memory_does_not_grow_with_games(
    tmp_path: Path, use: Callable[[Iterator[bytes]], object], bytes_a_game: int
) -> None:
    few, many = (stored(tmp_path / str(boards), boards) for boards in (FEW, MANY))
    peak_bytes(many, use)  # what is loaded, and what the rules keep of what they met
    grown = peak_bytes(many, use) - peak_bytes(few, use)
    assert grown < SLACK_BYTES + 2 * (MANY - FEW) * bytes_a_game
