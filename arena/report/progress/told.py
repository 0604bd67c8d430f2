"""Who is told how a run goes: the runner tells `Telling`, which tells all listeners in turn."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

from arena.referee.record import GameResult
from arena.report.progress.events import FaultSeen, RunFinished, fault_seen
from arena.report.standings import Standings
from arena.text import visible

_SECONDS_BETWEEN_TABLES = 2
_TIMES_ITS_COST = 20
"""So many times as long as a table took, the next one waits: they take a twentieth of a run."""


class Listener:
    """One who is told; what it does not care for is not overridden and does nothing."""

    def begun(self, *, settled: int, total: int) -> None:
        """Take in where the run begins."""

    def played(self, record: GameResult) -> None:
        """Take in a game that has just been stored."""

    def faulted(self, fault: FaultSeen) -> None:
        """Take in that a game that has just been stored was lost by a fault."""

    def advanced(self, settled: int) -> None:
        """Take in how many games of the schedule are settled now."""

    def ranked(self, standings: Standings) -> None:
        """Take in how the bots stand now."""

    def notice(self, text: str) -> None:
        """Take in what a person should know at once."""

    def ended(self, end: RunFinished) -> None:
        """Take in how the run ended; nothing comes after it."""


class Interim:
    """The standings in between, worked out seldom enough to cost a run little."""

    def __init__(
        self, standings: Callable[[], Standings], *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """`standings` works them out from what is stored; `clock` returns seconds."""
        self._standings = standings
        self._clock = clock
        self._next_s = clock()

    def due(self) -> Standings | None:
        """Return the standings if it is time for them."""
        began_s = self._clock()
        if began_s < self._next_s:
            return None
        found = self._standings()
        ended_s = self._clock()
        wait_s = max(_SECONDS_BETWEEN_TABLES, _TIMES_ITS_COST * (ended_s - began_s))
        self._next_s = ended_s + wait_s
        return found


class Telling:
    """Told by the runner how the run goes, and tells it to all listeners, each in its turn."""

    def __init__(
        self, listeners: Sequence[Listener], *, logs: Path, interim: Interim | None = None
    ) -> None:
        """Look for what bots print in `logs`; without `interim` nobody is told of standings."""
        self._listeners = listeners
        self._logs = logs
        self._interim = interim
        self._settled = self._total = 0

    def begun(self, *, settled: int, total: int) -> None:
        """Tell where the run begins."""
        self._settled, self._total = settled, total
        for listener in self._listeners:
            listener.begun(settled=settled, total=total)
        if 0 < settled < total:
            self._rank()

    def played(self, records: Sequence[GameResult]) -> None:
        """Tell of games that have just been stored."""
        for record in records:
            fault = fault_seen(record, self._logs)
            for listener in self._listeners:
                listener.played(record)
                if fault is not None:
                    listener.faulted(fault)

    def advanced(self, settled: int) -> None:
        """Tell how many games are settled now, and how the bots stand if that is due."""
        self._settled = settled
        for listener in self._listeners:
            listener.advanced(settled)
        self._rank()

    def ranked(self, standings: Standings) -> None:
        """Tell how the bots stand."""
        for listener in self._listeners:
            listener.ranked(standings)

    def notice(self, text: str) -> None:
        """Tell what a person should know at once."""
        for listener in self._listeners:
            listener.notice(text)

    def ended(
        self,
        *,
        code: int,
        complete: bool = False,
        signal: str | None = None,
        error: str | None = None,
    ) -> None:
        """Tell how the run ended (`RunFinished`)."""
        end = RunFinished(self._settled, self._total, complete, signal, error, code)
        for listener in self._listeners:
            listener.ended(end)

    def _rank(self) -> None:
        """Tell how the bots stand if that is due; no run ends because a table cannot be made."""
        if self._interim is None:
            return
        try:
            standings = self._interim.due()
            if standings is not None:
                self.ranked(standings)
        except Exception as error:  # noqa: BLE001 - whatever it is, games go on
            self._interim = None
            self.notice(f"there is no interim table: {visible(str(error))}")
