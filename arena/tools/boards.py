"""The games of a board, which ratings, points and faults take together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from arena.ratings.scores import GameRow
from arena.store.rows import Result
from arena.tournament.schedule import SEATINGS


def boards(results: Iterable[Result]) -> Iterator[tuple[Result, ...]]:
    """Put the games of each board of a match together; they come by board, and by seating."""
    for _, games in groupby(results, lambda result: result.id.board):
        yield tuple(games)


def is_complete(board: tuple[Result, ...]) -> bool:
    """Whether all games of a board are there."""
    return len(board) == SEATINGS


def row_of(result: Result, match: tuple[str, str]) -> GameRow:
    """Return what ratings need of a game; `match` is what the versions of its match are called."""
    game = result.id
    winner = match[(result.winner + game.seating) % SEATINGS]
    return GameRow(match, game.board, game.seating, winner, result.fault is not None)
