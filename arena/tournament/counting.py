"""Which games count, once bots are withdrawn or the tournament has been stopped (contracts, 2).

Pure, and the same for whoever plays and whoever looks at the results later.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable

from arena.referee.record import GameId
from arena.store.rows import Match, Stop, Withdrawal
from arena.tournament.schedule import OrderKey, boards_until, order_key

_ALL = sys.maxsize


class Counting:
    """Which games count: up to the one that stopped the tournament or withdrew a bot of theirs."""

    def __init__(self, withdrawals: Iterable[Withdrawal] = (), stop: Stop | None = None) -> None:
        """Begin with what is decided already."""
        self._last: dict[str, OrderKey] = {}
        self.stop: Stop | None = None
        """Why the tournament ended before its last board; None: it did not."""
        for withdrawal in withdrawals:
            self.withdraw(withdrawal)
        if stop is not None:
            self.end(stop)

    def withdraw(self, withdrawal: Withdrawal) -> None:
        """Take in that a version is withdrawn."""
        self._last[withdrawal.version] = order_key(withdrawal.game)

    def end(self, stop: Stop) -> None:
        """Take in that the tournament is stopped."""
        self.stop = stop

    def is_withdrawn(self, version: str) -> bool:
        """Whether a version plays no more."""
        return version in self._last

    def plays_after(self, version: str, game: GameId) -> bool:
        """Whether a version plays on after a game: it is not withdrawn, or only further on."""
        last = self._last.get(version)
        return last is None or order_key(game) < last

    def boards_needed(self, match: Match) -> int:
        """Return how many boards of a match lie before the stop; many if there is none."""
        return _ALL if self.stop is None else boards_until(order_key(self.stop.game), match)

    def whole_boards(self, match: Match) -> int:
        """Return how many boards of a match, the first ones, count with all their games."""
        withdrawn = [boards_until(self._last[v], match) for v in match if v in self._last]
        return min(self.boards_needed(match), *withdrawn, _ALL)

    def counts(self, game: GameId) -> bool:
        """Whether a game counts if it is played."""
        if game.board >= self.boards_needed(game.match):
            return False
        if self._last.keys().isdisjoint(game.match):
            return True
        key = order_key(game)
        return all(key <= self._last.get(version, key) for version in game.match)

    def has_withdrawn(self, match: Match) -> bool:
        """Whether a bot of a match is withdrawn."""
        return not self._last.keys().isdisjoint(match)


def standing_stop(stops: Iterable[Stop], versions: Collection[str], boards: int) -> Stop | None:
    """Return the stop that holds for a tournament of these versions; of several, the first one.

    What was decided between two versions holds as long as both take part; what was decided from
    the errors of all, as long as exactly these take part. Neither holds as long as the board that
    decided is none of so many: what counts then is less than it was decided from.
    """
    holding = [stop for stop in stops if stop.game.board < boards and _holds(stop, set(versions))]
    return min(holding, key=lambda stop: order_key(stop.game), default=None)


def _holds(stop: Stop, versions: set[str]) -> bool:
    decided_for = set(stop.versions)
    return decided_for <= versions if stop.kind == "sprt" else decided_for == versions
