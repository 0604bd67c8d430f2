"""Bots that may be copies of each other: on every board each wins the same game from its seat."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from arena.ratings.scores import MatchScore
from arena.referee.record import GameId, name_of
from arena.report.standings import Alike
from arena.store.reader import Reader
from arena.store.rows import Match
from arena.tools.counted import CountedGames
from arena.tournament.schedule import SEATINGS

_FEWEST_BOARDS = 2
_MOST_BOARDS = 1_000
"""Looked at in a match; more would say nothing new."""


def find_alike(
    reader: Reader, counted: CountedGames, scores: Iterable[MatchScore]
) -> Iterator[Alike]:
    """Yield the two bots of each match of whose boards most have the same game twice.

    Only matches of which all boards are split are looked at: copies split them all, and for others
    it costs nothing.
    """
    matches = {tuple(map(name_of, match)): match for match in counted.matches}
    for score in scores:
        if score.split == score.boards >= _FEWEST_BOARDS:
            boards = _boards(reader, counted, matches[score.a, score.b])
            seen = list(islice(boards, _MOST_BOARDS))
            if 2 * sum(seen) > len(seen):
                yield Alike(score.a, score.b, sum(seen), len(seen), score.boards)


def _boards(reader: Reader, counted: CountedGames, match: Match) -> Iterator[bool]:
    for board, same in reader.sameness(match):
        if all(counted.counts(GameId(match, board, seating)) for seating in range(SEATINGS)):
            yield same
