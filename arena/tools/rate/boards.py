"""The boards of a match as their games come in, in any order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from arena.ratings.scores import MatchScore
from arena.tools.deals import SeatedGame


class Outcome(NamedTuple):
    """How a game ended."""

    is_first: bool
    """Whether the first of the match won."""
    fault: str | None
    """The kind of the one that lost it."""


_Board = tuple[Outcome | None, Outcome | None]
"""Its games by who sits on seat 0: the first of the match, the second; None: not there yet."""
_EMPTY: _Board = (None, None)


class Boards:
    """All boards of a match."""

    def __init__(self) -> None:
        """None is there yet."""
        self._boards: dict[int, _Board] = {}
        self._waiting: dict[int, SeatedGame] = {}
        """Games whose board is not complete."""

    def __contains__(self, board: int) -> bool:
        """Whether a game of this board has come."""
        return board in self._boards

    def has(self, board: int, seating: int) -> bool:
        """Whether this game has come."""
        return self._boards.get(board, _EMPTY)[seating] is not None

    def add(
        self, board: int, seating: int, outcome: Outcome, game: SeatedGame
    ) -> tuple[SeatedGame, SeatedGame] | None:
        """Add a game that has not come yet; return both by seating if that completes its board."""
        self._boards[board] = _with(self._boards.get(board, _EMPTY), seating, outcome)
        partner = self._waiting.pop(board, None)
        if partner is None:
            self._waiting[board] = game
            return None
        return (game, partner) if seating == 0 else (partner, game)

    def score(self, a: str, b: str) -> MatchScore:
        """Return what the first, which is called `a`, scored on complete boards."""
        scored: Counter[int] = Counter()
        forfeited: Counter[int] = Counter()
        for games, number in self._complete():
            won = sum(game.is_first for game in games)
            scored[won] += number
            forfeited[won] += number * any(game.fault for game in games)
        return MatchScore(
            a,
            b,
            scored[2],
            scored[1],
            scored[0],
            half_boards=len(self._waiting),
            forfeited=(forfeited[2], forfeited[1], forfeited[0]),
        )

    def faults(self) -> Iterator[tuple[int, str, int]]:
        """Yield place in the match, kind and number of the faults on complete boards."""
        for games, number in self._complete():
            for game in games:
                if game.fault is not None:
                    yield int(game.is_first), game.fault, number

    def _complete(self) -> Iterator[tuple[tuple[Outcome, Outcome], int]]:
        """Yield each kind of complete boards and how many there are."""
        for (one, other), number in Counter(self._boards.values()).items():
            if one is not None and other is not None:
                yield (one, other), number


@lru_cache(maxsize=1_000)  # of many boards most are alike: these are one object
def _with(board: _Board, seating: int, outcome: Outcome) -> _Board:
    return (outcome, board[1]) if seating == 0 else (board[0], outcome)
