"""What the deals of complete boards come to: points per deal, and what the seats are worth."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from functools import reduce
from itertools import starmap
from typing import NamedTuple

from arena.ratings.points import Deals, PairedBoard, PairedDeals, points_over_matches
from arena.ratings.ratio import HalfWidth
from arena.ratings.seats import SeatBoard, SeatSums
from arena.referee.record import name_of
from arena.report.standings import Points
from arena.store.rows import Match, Result

_NONE = Deals((), ())


class SeatedGame(NamedTuple):
    """What a game says of its seats."""

    winner: int
    """The seat that won."""
    deals: Deals | None
    """Finished ones; None: they were not kept."""

    @classmethod
    def of(cls, game: Result) -> SeatedGame:
        """Return what a stored game says: one that was played to its end has deals."""
        is_unknown = game.fault is None and not game.margins
        return cls(game.winner, None if is_unknown else Deals(game.dealers, game.margins))


class DealSums:
    """Counts boards as they stream by: there are few kinds, of which each is summed up once."""

    def __init__(self) -> None:
        """No board is counted yet."""
        self._matches: defaultdict[Match, Counter[PairedBoard]] = defaultdict(Counter)
        self._seats = Counter[SeatBoard]()
        self._unknown = 0

    def take(self, match: Match, first: SeatedGame, second: SeatedGame) -> None:
        """Add a complete board of two bot versions, its games by seating."""
        self._unknown += (first.deals is None) + (second.deals is None)
        one, other = first.deals, second.deals
        if one is None or other is None:
            one = other = _NONE
        self._matches[match][PairedBoard.of_games(one, other)] += 1
        won = (first.winner == 0) + (second.winner == 0)
        self._seats[SeatBoard.of_games(won, one, other)] += 1

    def points(self, half_width: HalfWidth, named: Callable[[str], str] = name_of) -> Points:
        """Return what it comes to, by names; `named` gives that of a bot version."""
        bots: defaultdict[str, list[PairedDeals]] = defaultdict(list)
        matches = {}
        for match, boards in self._matches.items():
            a, b = map(named, match)
            paired = reduce(PairedDeals.plus, starmap(PairedDeals.of_boards, boards.items()))
            bots[a].append(paired)
            bots[b].append(paired.turned())
            matches[a, b] = paired.per_deal(half_width)
        per_bot = {bot: points_over_matches(met, half_width) for bot, met in bots.items()}
        seats = reduce(SeatSums.plus, starmap(SeatSums.of_boards, self._seats.items()), SeatSums())
        return Points(per_bot, matches, seats.bias(half_width), self._unknown)
