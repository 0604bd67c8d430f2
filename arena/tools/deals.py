"""What the deals of complete boards come to: points per deal, and what the seats are worth."""

from __future__ import annotations

from collections import defaultdict

from arena.ratings.points import Deals, PairedDeals
from arena.ratings.ratio import HalfWidth
from arena.ratings.seats import SeatSums
from arena.referee.record import name_of
from arena.report.standings import Points
from arena.store.rows import Match, Result

_NONE = Deals((), ())


class DealSums:
    """Sums up boards as they stream by, in little memory."""

    def __init__(self) -> None:
        """Nothing is summed up yet."""
        self._matches: defaultdict[Match, PairedDeals] = defaultdict(PairedDeals)
        self._seats = SeatSums()
        self._unknown = 0

    def take(self, first: Result, second: Result) -> None:
        """Add a complete board, its games by seating."""
        games = first, second
        unknown = sum(map(_is_unknown, games))
        self._unknown += unknown
        one, other = (_NONE, _NONE) if unknown else map(_deals, games)
        match = first.id.match
        self._matches[match] = self._matches[match].plus(PairedDeals.of_board(one, other))
        won = sum(game.winner == 0 for game in games)
        self._seats = self._seats.plus(SeatSums.of_board(won, one, other))

    def points(self, half_width: HalfWidth) -> Points:
        """Return what it comes to, by bots' names."""
        bots: defaultdict[str, PairedDeals] = defaultdict(PairedDeals)
        matches = {}
        for match, paired in self._matches.items():
            a, b = map(name_of, match)
            bots[a] = bots[a].plus(paired)
            bots[b] = bots[b].plus(paired.turned())
            matches[a, b] = paired.per_deal(half_width)
        per_bot = {bot: paired.per_deal(half_width) for bot, paired in bots.items()}
        return Points(per_bot, matches, self._seats.bias(half_width), self._unknown)


def _is_unknown(game: Result) -> bool:
    """Whether its deals were not kept: one that is played to its end has some."""
    return game.fault is None and not game.margins


def _deals(game: Result) -> Deals:
    return Deals(game.dealers, game.margins)
