"""The games of a board, which ratings, points and faults take together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby

from arena.ratings.scores import GameRow
from arena.store.rows import Result
from arena.tournament.schedule import SEATINGS


def boards(results: Iterable[Result]) -> Iterator[tuple[Result, ...]]:
    """Put the games of each board together; they come by match and board, and by seating."""
    for _, games in groupby(results, lambda result: (result.id.match, result.id.board)):
        yield tuple(games)


def is_complete(board: tuple[Result, ...]) -> bool:
    """Whether all games of a board are there."""
    return len(board) == SEATINGS


def row_of(result: Result, named: Callable[[str], str] = str) -> GameRow:
    """Return what ratings need of a game; `named` gives what a version is called there."""
    game = result.id
    first, second = map(named, game.match)
    winner = named(game.seats[result.winner])
    return GameRow((first, second), game.board, game.seating, winner, result.fault is not None)
