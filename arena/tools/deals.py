"""What the deals of complete boards come to: points per deal, and what the seats are worth."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import reduce
from itertools import starmap

from arena.ratings.points import Deals, PairedBoard, PairedDeals
from arena.ratings.ratio import HalfWidth
from arena.ratings.seats import SeatBoard, SeatSums
from arena.referee.record import name_of
from arena.report.standings import Points
from arena.store.rows import Match, Result

_NONE = Deals((), ())


class DealSums:
    """Counts boards as they stream by: there are few kinds, of which each is summed up once."""

    def __init__(self) -> None:
        """No board is counted yet."""
        self._matches: defaultdict[Match, Counter[PairedBoard]] = defaultdict(Counter)
        self._seats = Counter[SeatBoard]()
        self._unknown = 0

    def take(self, first: Result, second: Result) -> None:
        """Add a complete board, its games by seating."""
        games = first, second
        unknown = sum(map(_is_unknown, games))
        self._unknown += unknown
        one, other = (_NONE, _NONE) if unknown else map(_deals, games)
        self._matches[first.id.match][PairedBoard.of_games(one, other)] += 1
        won = (first.winner == 0) + (second.winner == 0)
        self._seats[SeatBoard.of_games(won, one, other)] += 1

    def points(self, half_width: HalfWidth) -> Points:
        """Return what it comes to, by bots' names."""
        bots: defaultdict[str, PairedDeals] = defaultdict(PairedDeals)
        matches = {}
        for match, boards in self._matches.items():
            a, b = map(name_of, match)
            paired = reduce(PairedDeals.plus, starmap(PairedDeals.of_boards, boards.items()))
            bots[a] = bots[a].plus(paired)
            bots[b] = bots[b].plus(paired.turned())
            matches[a, b] = paired.per_deal(half_width)
        per_bot = {bot: paired.per_deal(half_width) for bot, paired in bots.items()}
        seats = reduce(SeatSums.plus, starmap(SeatSums.of_boards, self._seats.items()), SeatSums())
        return Points(per_bot, matches, seats.bias(half_width), self._unknown)


def _is_unknown(game: Result) -> bool:
    """Whether its deals were not kept: one that is played to its end has some."""
    return game.fault is None and not game.margins


def _deals(game: Result) -> Deals:
    return Deals(game.dealers, game.margins)
