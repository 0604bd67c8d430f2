"""One round: what several targets want is measured once, and R close to what is held to it."""

from __future__ import annotations

import statistics
from typing import NamedTuple

from tests.benchmarks.pingpong import ping_pong
from tests.benchmarks.tournament import TournamentSpeed, play_two_bots

_EXCHANGES = 10_000
BOARDS = {64: 10_000, 1: 2_000}
"""Of the tournament of two bots, by tables.

With one table it is a fifth, which weighs starts more, not less, than the whole would.
"""


class BesideRaw(NamedTuple):
    """A tournament of two random bots, and R as it was just before and just after."""

    speed: TournamentSpeed
    raw_per_s: float

    @property
    def times_raw(self) -> float:
        """Its decisions as multiples of R."""
        return self.speed.decisions_per_s / self.raw_per_s


class Round:
    """Measures for all targets of one round; each thing once."""

    def __init__(self, scale: float) -> None:
        """`scale`: length of each measurement, 1 for the whole."""
        self.scale = scale
        self._known: dict[tuple[int, int], BesideRaw] = {}

    def scaled(self, number: int, least: int = 1) -> int:
        """Return a number of boards or the like at this round's length."""
        return max(least, round(number * self.scale))

    def raw(self) -> float:
        """Measure R, exchanges per second; always anew, because the machine is never the same."""
        return ping_pong(self.scaled(_EXCHANGES, least=1_000))

    def two_bots(self, tables: int, workers: int) -> BesideRaw:
        """Play the tournament of two random bots."""
        if (tables, workers) not in self._known:
            before = self.raw()
            speed = play_two_bots(tables, workers, self.scaled(BOARDS[tables]))
            both = statistics.mean((before, self.raw()))
            self._known[tables, workers] = BesideRaw(speed, both)
        return self._known[tables, workers]
