"""Results of tournaments that were drawn, not played: as rows, and as a real results file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, repeat
from pathlib import Path

from arena.ratings.scores import GameRow, MatchScore
from arena.referee.record import GameId, GameRecord, Target
from arena.store.rows import Entrant, Tournament
from arena.store.store import Store
from arena.tournament.config import load_config
from arena.tournament.identity import conditions

_MARGINS = (-1, -1, 2, -1, 2, -1, 2, -1, -1, 2, -1, 2)
"""Of the deals of a game that seat 0 wins by 10 to 7."""
_BOT = Path(__file__).parents[2] / "bots" / "random_bot.py"


def rows(scores: Iterable[MatchScore]) -> Iterator[GameRow]:
    """Yield the games of each match by board and seating: such that they come to its score."""
    for score in scores:
        match = (score.a, score.b)
        boards = chain(
            repeat((score.a, score.a), score.won_both),
            repeat(match, score.split),
            repeat((score.b, score.b), score.lost_both),
        )
        for board, winners in enumerate(boards):
            for seating, winner in enumerate(winners):
                yield GameRow(match, board, seating, winner)


def write_results(folder: Path, scores: Sequence[MatchScore]) -> Path:
    """Store these games in a tournament of full matches and return its config."""
    bots = sorted({bot for score in scores for bot in (score.a, score.b)})
    path = folder / "synthetic.yaml"
    text = {
        "seed": 1,
        "boards": max(score.boards for score in scores),
        "bots": [{"name": bot, "path": str(_BOT)} for bot in bots],
    }
    path.write_text(json.dumps(text), "utf-8")
    config = load_config(path)
    with Store.open(Path(config.results)) as store:
        whose = Tournament(config.path, config.name, conditions(config), b"1", drawn=False)
        store.begin(whose, [Entrant(bot, f"hash of {bot}", {}) for bot in bots])
        for score in scores:
            store.add(map(_record, rows([score])))
    return path


def _record(row: GameRow) -> GameRecord:
    """Return a game of the usual size, but for its actions, which rankings do not read."""
    game = GameId(tuple(f"{bot}@1" for bot in row.match), row.board, row.seating)
    winner = game.seats.index(f"{row.winner}@1")
    return GameRecord(
        game,
        (10, 7) if winner == 0 else (7, 10),
        winner,
        Target(),
        decisions=(66, 64),
        spent_us=(6_500, 7_400),
        cpu_us=(6_400, 7_300),
        isolation="process",
        actions=("pass",) * (1 + row.seating),
        times_us=(100,),
        dealers=(0, 1) * (len(_MARGINS) // 2),
        margins=_MARGINS if winner == 0 else tuple(-margin for margin in _MARGINS),
    )
