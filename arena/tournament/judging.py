"""Who is withdrawn, and which games still count then (contracts, 2).

Judging goes along the completed prefix of the schedule's order and looks at nothing but what
became of its games. So the number of workers and tables, the order of finishing and resumes change
nothing. Pure: no clock, no file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from arena.referee.record import GameId
from arena.runtime.executor import FAILED_STARTS
from arena.store.rows import Match, Withdrawal
from arena.tournament.schedule import SEATINGS, Fate, OrderKey, Schedule, order_key


class Counting:
    """Which games count: of a withdrawn version those up to the one that decided it."""

    def __init__(self, withdrawals: Iterable[Withdrawal] = ()) -> None:
        """Begin with those who are withdrawn already."""
        self._last: dict[str, OrderKey] = {}
        for withdrawal in withdrawals:
            self.withdraw(withdrawal)

    def withdraw(self, withdrawal: Withdrawal) -> None:
        """Take in that a version is withdrawn."""
        self._last[withdrawal.version] = order_key(withdrawal.game)

    def is_withdrawn(self, version: str) -> bool:
        """Whether a version plays no more."""
        return version in self._last

    def touches(self, match: Match) -> bool:
        """Whether some games of a match may not count."""
        return not self._last.keys().isdisjoint(match)

    def counts(self, game: GameId) -> bool:
        """Whether a game counts if it is played."""
        if not self.touches(game.match):
            return True
        key = order_key(game)
        return all(key <= self._last.get(version, key) for version in game.match)


class Judge:
    """Follows the completed prefix and says who is withdrawn on the way."""

    def __init__(
        self, schedule: Schedule, withdraw_after: int | None, withdrawals: Iterable[Withdrawal]
    ) -> None:
        """Begin before the first game; what was decided in earlier runs stands.

        So many faults withdraw a bot; None: no number does.
        """
        self._schedule = schedule
        self._withdraw_after = withdraw_after
        self.counting = Counting()
        """Who is withdrawn by now."""
        for withdrawal in withdrawals:
            self._withdraw(withdrawal)
        self._faults: Counter[str] = Counter()
        self._failed_starts: Counter[str] = Counter()
        """In a row, by version."""
        self._rest = self._games()
        self._waiting = next(self._rest, None)

    def advance(self) -> tuple[Withdrawal, ...]:
        """Go on as far as games are settled; return who is withdrawn from there on."""
        found: list[Withdrawal] = []
        while self._waiting is not None:
            fate = self._schedule.fate(self._waiting)
            if self.counting.counts(self._waiting) and not self._is_passed(self._waiting, fate):
                if not fate.is_settled:
                    break
                found += self._judge(self._waiting, fate)
            self._waiting = next(self._rest, None)
        return tuple(found)

    def _games(self) -> Iterator[GameId]:
        """Yield the games of the order, but whole pieces at once that need no look."""
        for match, boards in self._schedule.pieces():
            if self._schedule.is_all_played(match, boards) and not self.counting.touches(match):
                for version in match:
                    self._failed_starts[version] = 0
                continue
            for board in boards:
                yield from (GameId(match, board, seating) for seating in range(SEATINGS))

    def _is_passed(self, game: GameId, fate: Fate) -> bool:
        """Whether nobody waits for a game: a bot of it does not take part in this run."""
        return not fate.is_settled and self._schedule.is_left_out(game.match)

    def _judge(self, game: GameId, fate: Fate) -> Iterator[Withdrawal]:
        seat = fate.fault_seat
        failed_start = fate in (Fate.NO_START_0, Fate.NO_START_1)
        for version in game.seats:
            if seat is not None and version == game.seats[seat]:
                self._faults[version] += 1
                self._failed_starts[version] = (
                    self._failed_starts[version] + 1 if failed_start else 0
                )
                reason = self._reason(version)
                if reason is not None and not self.counting.is_withdrawn(version):
                    yield self._withdraw(Withdrawal(version, game, reason))
            elif fate == Fate.PLAYED or (seat is not None and not failed_start):
                self._failed_starts[version] = 0  # it was there, else it would have lost

    def _reason(self, version: str) -> str | None:
        """Say why a version is withdrawn now; None if it is not."""
        if self._withdraw_after is not None and self._faults[version] >= self._withdraw_after:
            return f"{self._faults[version]} faults (faults.withdraw_after)"
        if self._failed_starts[version] >= FAILED_STARTS:
            return f"{FAILED_STARTS} failed starts in a row"
        return None

    def _withdraw(self, withdrawal: Withdrawal) -> Withdrawal:
        self.counting.withdraw(withdrawal)
        self._schedule.withdraw(withdrawal.version)
        return withdrawal
