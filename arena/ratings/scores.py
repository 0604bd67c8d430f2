"""From rows of finished games to what each match scored over its complete boards.

Only counting may live here: no rating, no numpy.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple


class GameRow(NamedTuple):
    """One finished game, played or forfeited: all that a rating needs of it."""

    match: tuple[str, str]
    """The two bots in the match's order."""
    board: int
    seating: int
    """0 or 1: which of the board's two games."""
    winner: str
    forfeit: bool = False
    """Whether it was lost by a fault."""


class Cluster(NamedTuple):
    """Games between two bots that belong together, as the two games of a board do."""

    games: int
    half_points: int
    """What the first bot scored: 2 for a game won, 1 for one drawn."""


@dataclass(frozen=True, slots=True, order=True)
class MatchScore:
    """What a match scored from `a`'s view; only complete boards count."""

    a: str
    b: str
    won_both: int
    """Boards on which `a` won both games."""
    split: int
    lost_both: int
    half_boards: int = 0
    """Boards left out because only one of their games is finished."""
    others: tuple[tuple[Cluster, int], ...] = ()
    """Clusters that are no boards of two games, and how many of each; only from files."""
    drawn: int = 0
    """Games drawn, all of them in `others`."""
    forfeited: tuple[int, int, int] = (0, 0, 0)
    """Of `won_both`, `split` and `lost_both` the boards with a game lost by a fault."""

    def seen_from(self, bot: str) -> MatchScore:
        """Return the score from the view of `bot`, one of the two."""
        if bot == self.a:
            return self
        won_both, split, lost_both = self.forfeited
        others = tuple((Cluster(c.games, 2 * c.games - c.half_points), n) for c, n in self.others)
        return replace(
            self,
            a=self.b,
            b=self.a,
            won_both=self.lost_both,
            lost_both=self.won_both,
            others=others,
            forfeited=(lost_both, split, won_both),
        )

    @property
    def without_faults(self) -> MatchScore:
        """What the match scored over the boards without a fault."""
        won_both, split, lost_both = self.forfeited
        return replace(
            self,
            won_both=self.won_both - won_both,
            split=self.split - split,
            lost_both=self.lost_both - lost_both,
            forfeited=(0, 0, 0),
        )

    @property
    def clusters(self) -> tuple[tuple[Cluster, int], ...]:
        """All clusters and how many of each."""
        boards = ((4, self.won_both), (2, self.split), (0, self.lost_both))
        return (*((Cluster(2, half), number) for half, number in boards if number), *self.others)

    @property
    def boards(self) -> int:
        """Complete boards, or other clusters."""
        return sum(number for _, number in self.clusters)

    @property
    def games(self) -> int:
        """Games on complete boards."""
        return sum(cluster.games * number for cluster, number in self.clusters)

    @property
    def won(self) -> int:
        """Games that `a` won on complete boards."""
        half_points = sum(cluster.half_points * number for cluster, number in self.clusters)
        return (half_points - self.drawn) // 2

    @property
    def lost(self) -> int:
        """Games that `b` won on complete boards."""
        return self.games - self.won - self.drawn


class _Count:
    """One match while its rows come in; a board is forgotten as soon as it is complete."""

    __slots__ = ("boards_by_wins", "forfeited_by_wins", "waiting")

    def __init__(self) -> None:
        self.boards_by_wins = [0, 0, 0]
        self.forfeited_by_wins = [0, 0, 0]
        self.waiting: dict[int, tuple[int, bool, bool]] = {}

    def add(self, row: GameRow) -> None:
        won = row.winner == row.match[0]
        partner = self.waiting.pop(row.board, None)
        if partner is None:
            self.waiting[row.board] = (row.seating, won, row.forfeit)
        elif partner[0] == row.seating:
            raise ValueError(f"a game came twice: {row}")
        else:
            _, won_other, forfeit_other = partner
            self.boards_by_wins[won + won_other] += 1
            self.forfeited_by_wins[won + won_other] += row.forfeit or forfeit_other


def match_scores(rows: Iterable[GameRow]) -> tuple[MatchScore, ...]:
    """Count the complete boards of each match; the order of the rows does not matter.

    Reads `rows` once and keeps only boards that still wait for their other game, which in
    schedule order are few. Each game may come once. Sorted by match. Raises `ValueError` for a
    row that cannot be a game of its match.
    """
    counts: dict[tuple[str, str], _Count] = {}
    for row in rows:
        if row.winner not in row.match or row.seating not in (0, 1) or row.match[0] == row.match[1]:
            raise ValueError(f"not a game of its match: {row}")
        count = counts.get(row.match)
        if count is None:
            count = counts[row.match] = _Count()
        count.add(row)
    return tuple(_score(match, counts[match]) for match in sorted(counts))


def _score(match: tuple[str, str], count: _Count) -> MatchScore:
    lost_both, split, won_both = count.boards_by_wins
    lost_by_fault, split_by_fault, won_by_fault = count.forfeited_by_wins
    return MatchScore(
        *match,
        won_both,
        split,
        lost_both,
        half_boards=len(count.waiting),
        forfeited=(won_by_fault, split_by_fault, lost_by_fault),
    )
