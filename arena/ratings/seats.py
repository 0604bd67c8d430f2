"""Whether a seat is better than the other: the cards' and the first dealer's doing, not the bots'.

Both games of a board have the same cards on the same seats, so they are one unit, and because each
bot has each seat once, the bots' strength falls out.
"""

from __future__ import annotations

from typing import NamedTuple

from arena.ratings.points import Deals
from arena.ratings.ratio import Estimate, HalfWidth, Ratio

_GAMES = 2
"""Of a board."""


class SeatBias(NamedTuple):
    """By how much seat 0 did better than seat 1 on the complete boards."""

    games: Estimate = Estimate()
    """Share of games that it won, less one half."""
    points: Estimate = Estimate()
    """Its points less those of seat 1, in the mean of all finished deals."""


class SeatBoard(NamedTuple):
    """What one complete board brings."""

    won: int
    """Games that seat 0 won: none, one or both."""
    points: int
    """Its points less those of seat 1."""
    finished: int
    """Deals of both games."""

    @classmethod
    def of_games(cls, won: int, first: Deals, second: Deals) -> SeatBoard:
        """Sum up the two games of a board."""
        points = sum(first.margins) + sum(second.margins)
        return cls(won, points, len(first.margins) + len(second.margins))


class SeatSums(NamedTuple):
    """What some boards say of the seats: sums that add up."""

    games: Ratio = Ratio()
    points: Ratio = Ratio()

    @classmethod
    def of_boards(cls, one: SeatBoard, boards: int = 1) -> SeatSums:
        """Return what so many boards bring, each the same."""
        # Half of the games taken off the wins leaves the share less one half.
        games = Ratio.of_boards(one.won - _GAMES // 2, _GAMES, boards)
        return cls(games, Ratio.of_boards(one.points, one.finished, boards))

    def plus(self, other: SeatSums) -> SeatSums:
        """Return the sums over the boards of both, which share none."""
        return SeatSums(self.games.plus(other.games), self.points.plus(other.points))

    def bias(self, half_width: HalfWidth) -> SeatBias:
        """Return what they say."""
        return SeatBias(self.games.estimate(half_width), self.points.estimate(half_width))
