"""What workers are given: how many jobs at a time, and which games go into the next one.

Pure: no clock, no file, no process. What is open says the ledger.
"""

from __future__ import annotations

from collections.abc import Collection

from arena.referee.record import GameId
from arena.runtime.executor import JobResult
from arena.store.rows import Match
from arena.tournament.ledger import Ledger
from arena.tournament.pace import Pace, guess

Games = tuple[GameId, ...]
"""Of one job: consecutive boards of a match in one seating."""
_ABOUT_ONE = 1.5
"""What a job may take and still be held to take one core."""


class Workload:
    """Deals out jobs one after the other, sized by those that came back."""

    def __init__(self, ledger: Ledger, workers: int, *, cores: int | None) -> None:
        """Begin with nothing measured.

        Jobs that run at once do not take more than so many cores, unless one alone does; None: all
        workers play whatever that takes.
        """
        self.is_held_back = False
        """Whether a worker was left idle because there are not enough cores."""
        self._ledger = ledger
        self._workers = workers
        self._cores = cores
        self._pace = Pace()
        self._taken: dict[Match, float] = {}
        """How many cores a job of a match takes, as far as that was measured."""

    def next_job(self, given_out: Collection[Games]) -> Games:
        """Choose the games of one more job; empty: there is none to give out now.

        `given_out` are the jobs that have not come back. Every worker is kept busy, with one job
        waiting for whoever is ready first.
        """
        if len(given_out) > self._workers:
            return ()
        if self._ledger.next_is_alone:
            return () if given_out else self._ledger.take_alone()
        share = self._fair_share(given_out)
        return self._ledger.take_next(
            lambda match: self._pace.games_for(match, share) if self._fits(match, given_out) else 0
        )

    def came_back(self, match: Match, result: JobResult) -> None:
        """Measure what came of a job of a match."""
        self._pace.measure(match, len(result.records), result.play_ms)
        if result.cores:
            self._taken[match] = result.cores if result.cores > _ABOUT_ONE else 1

    def _fits(self, match: Match, given_out: Collection[Games]) -> bool:
        """Whether there are cores for one more job; while each takes one, one may wait."""
        if self._cores is None or not given_out:
            return True
        taken = [guess(self._taken, one) or 1 for one in (match, *(g[0].match for g in given_out))]
        if max(taken) == 1 or sum(taken) <= self._cores:
            return True
        self.is_held_back |= len(given_out) < self._workers
        return False

    def _fair_share(self, given_out: Collection[Games]) -> int:
        """Return how many games each worker gets if what nobody plays yet is dealt out evenly."""
        left = self._ledger.total - self._ledger.settled - sum(map(len, given_out))
        return max(1, left // self._workers)
