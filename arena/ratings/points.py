"""Points per deal, from deals that both games of a board played.

Deal k of the two games of a board is the same deal with the bots exchanged, so luck with its cards
falls on both alike. What a bot scored in the two, less what the other did, tells bots apart by far
fewer games than wins do. It is no rating: play that wins games need not win points.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from operator import eq, sub
from typing import NamedTuple

from arena.ratings.ratio import Estimate, HalfWidth, Ratio, over_matches


class Deals(NamedTuple):
    """The finished deals of a game, in their order."""

    dealers: Sequence[int]
    """The seat that dealt each."""
    margins: Sequence[int]
    """Points of seat 0 minus those of seat 1 in each."""


class PointsPerDeal(NamedTuple):
    """By how many points a bot was ahead of whom it played, in the mean of all paired deals."""

    points: Estimate = Estimate()
    paired: int = 0
    """Deals that both games of a board finished, dealt by the same seat; each counts once."""
    unpaired: int = 0
    """Finished deals without such a partner."""
    boards: int = 0
    """Boards with a paired deal: the interval rests on so many."""


class PairedBoard(NamedTuple):
    """What one board brings for the bot that has seat 0 in its first game."""

    ahead: int
    """Its points minus the other's in the paired deals."""
    paired: int
    unpaired: int

    @classmethod
    def of_games(cls, first: Deals, second: Deals) -> PairedBoard:
        """Pair the deals of the two games of a board.

        A deal that the other seat dealt is another deal, though its cards are the same.
        """
        same = [*map(eq, first.dealers, second.dealers)]
        ahead = sum(compress(map(sub, first.margins, second.margins), same))
        paired = sum(same)
        finished = len(first.margins) + len(second.margins)
        return cls(ahead, paired, finished - 2 * paired)


class PairedDeals(NamedTuple):
    """The paired deals of some boards, as one of the two bots sees them: sums that add up."""

    ahead: Ratio = Ratio()
    """Its points minus the other's, over the deals of both games."""
    unpaired: int = 0

    @classmethod
    def of_boards(cls, one: PairedBoard, boards: int = 1) -> PairedDeals:
        """Return what so many boards bring, each the same."""
        return cls(Ratio.of_boards(one.ahead, 2 * one.paired, boards), boards * one.unpaired)

    def plus(self, other: PairedDeals) -> PairedDeals:
        """Return those of both, which share no board."""
        return PairedDeals(self.ahead.plus(other.ahead), self.unpaired + other.unpaired)

    def turned(self) -> PairedDeals:
        """Return them as the other bot sees them."""
        return PairedDeals(self.ahead.turned(), self.unpaired)

    def per_deal(self, half_width: HalfWidth) -> PointsPerDeal:
        """Return the mean, and how sure it is."""
        points, paired = self.ahead.estimate(half_width), self.ahead.n // 2
        return PointsPerDeal(points, paired, self.unpaired, self.ahead.boards)


def points_over_matches(matches: Sequence[PairedDeals], half_width: HalfWidth) -> PointsPerDeal:
    """Return what a bot's matches, each as it sees it, come to together."""
    ahead = [match.ahead for match in matches]
    return PointsPerDeal(
        over_matches(ahead, half_width),
        sum(ratio.n for ratio in ahead) // 2,
        sum(match.unpaired for match in matches),
        sum(ratio.boards for ratio in ahead),
    )
