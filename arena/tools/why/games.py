"""The two games of a board as one bot sees them, deal by deal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import msgspec

from arena.referee.record import GameRecord, GameResult
from arena.rules.base import Rules, State

ReplayCommand = Callable[[str, int], str]
"""Makes the command that shows a deal of a game: by the game's id and the deal's number."""


class PlayedDeal(NamedTuple):
    """One deal as it was played in one game."""

    begin: State
    """Before its first action."""
    actions: tuple[str, ...]


class PairedDeal(NamedTuple):
    """A deal that both games finished, dealt by the same seat: with the same cards, that is."""

    number: int
    dealer: int
    margins: tuple[int, int]
    """By game: points of seat 0 minus those of seat 1."""


class PairedGames(msgspec.Struct, frozen=True):
    """The two games of a board, by seating."""

    first: GameResult
    second: GameResult
    board_seed: bytes

    @property
    def games(self) -> tuple[GameResult, GameResult]:
        """Both games."""
        return self.first, self.second

    def deals(self) -> Iterator[PairedDeal]:
        """Yield the deals that can be compared (`ratings.points` pairs the same ones)."""
        one, other = self.games
        # The game that ended earlier ends the pairs.
        margins = zip(one.margins, other.margins)  # noqa: B905
        for number, both in enumerate(margins):
            if one.dealers[number] == other.dealers[number]:
                yield PairedDeal(number, one.dealers[number], both)

    def played(self, rules: Rules) -> tuple[list[PlayedDeal], list[PlayedDeal]] | None:
        """Return the finished deals of both games; None if they were kept without actions."""
        one, other = self.games
        if not (isinstance(one, GameRecord) and isinstance(other, GameRecord)):
            return None
        begin = rules.start(self.board_seed)
        return _cut(begin, one.actions), _cut(begin, other.actions)


def _cut(state: State, actions: tuple[str, ...]) -> list[PlayedDeal]:
    """Cut a game's actions into its deals; one that was over with its upcard turned has none."""
    deals = [PlayedDeal(state, ())] * len(state.finished_deals())
    begin, since = state, 0
    for number, action in enumerate(actions, start=1):
        state = state.apply(action)
        finished = len(state.finished_deals())
        if finished > len(deals):
            deals.append(PlayedDeal(begin, actions[since:number]))
            deals += [PlayedDeal(state, ())] * (finished - len(deals))
            begin, since = state, number
    return deals
