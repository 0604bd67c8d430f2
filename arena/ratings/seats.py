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


class SeatSums(NamedTuple):
    """What some boards say of the seats: sums that add up."""

    games: Ratio = Ratio()
    points: Ratio = Ratio()

    @classmethod
    def of_board(cls, won: int, first: Deals, second: Deals) -> SeatSums:
        """Return what a board brings, both games of it: seat 0 `won` none, one or both."""
        points = sum(first.margins) + sum(second.margins)
        finished = len(first.margins) + len(second.margins)
        # Half of the games taken off the wins leaves the share less one half.
        return cls(Ratio.of_board(won - _GAMES // 2, _GAMES), Ratio.of_board(points, finished))

    def plus(self, other: SeatSums) -> SeatSums:
        """Return the sums over the boards of both, which share none."""
        return SeatSums(self.games.plus(other.games), self.points.plus(other.points))

    def bias(self, half_width: HalfWidth) -> SeatBias:
        """Return what they say."""
        return SeatBias(self.games.estimate(half_width), self.points.estimate(half_width))
