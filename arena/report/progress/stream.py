"""A run as JSON Lines for programs: each event at once, on a line of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import BinaryIO

import msgspec

from arena.referee.record import GameResult
from arena.report.progress.events import (
    Event,
    FaultSeen,
    Notice,
    Ranked,
    RunFinished,
    RunStarted,
    game_played,
)
from arena.report.progress.told import Listener
from arena.report.rankings import rankings
from arena.report.standings import Standings


class EventStream(Listener):
    """Writes every event; when nobody reads them any more it says so and writes nothing."""

    def __init__(self, out: BinaryIO, start: RunStarted, lost: Callable[[], None]) -> None:
        """Begin with `start`, to which the run adds its numbers; `lost` asks it to end."""
        self._out = out
        self._start = start
        self._lost = lost
        self._early: list[str] = []
        self._has_begun = False
        self.error: OSError | None = None
        """Why the events could not be written."""

    def begun(self, *, settled: int, total: int) -> None:
        """Write the first event, then what was said before it."""
        self._has_begun = True
        self._write(msgspec.structs.replace(self._start, scheduled=total, settled=settled))
        for text in self._early:
            self.notice(text)

    def played(self, record: GameResult) -> None:
        """Write a game."""
        self._write(game_played(record))

    def faulted(self, fault: FaultSeen) -> None:
        """Write a fault."""
        self._write(fault)

    def ranked(self, standings: Standings) -> None:
        """Write the standings."""
        self._write(Ranked(rankings(standings)))

    def notice(self, text: str) -> None:
        """Write what was said."""
        if self._has_begun:
            self._write(Notice(text))
        else:
            self._early.append(text)

    def ended(self, end: RunFinished) -> None:
        """Write the last event; none if there was no first one."""
        if self._has_begun:
            self._write(end)

    def _write(self, event: Event) -> None:
        if self.error is not None:
            return
        try:
            self._out.write(msgspec.json.encode(event) + b"\n")
            self._out.flush()
        except OSError as error:
            self.error = error
            self._lost()
