"""How a run goes, on stderr: a bar on a terminal, now and then a plain line elsewhere.

The only module that imports rich, and only for a terminal.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from rich.progress import Progress

_LINES_IN_ALL = 10
_SECONDS_BETWEEN_LINES = 30


class Course:
    """How far and how fast a run is, and when a plain line about it is due.

    A line is due when another tenth of all games is settled and half a minute has gone by:
    whichever is rarer.
    """

    def __init__(self, *, settled: int, total: int, now_s: float) -> None:
        """Begin a run that has so many games of its schedule behind it."""
        self._total = total
        self._began_at = self._line_at = settled
        self._began_s = self._line_s = now_s

    def rate(self, settled: int, now_s: float) -> str:
        """Return how fast games were settled in this run."""
        seconds = now_s - self._began_s
        return f"{(settled - self._began_at) / seconds if seconds > 0 else 0:.0f} games/s"

    def line(self, settled: int, now_s: float) -> str | None:
        """Return a line if one is due."""
        has_tenth = (settled - self._line_at) * _LINES_IN_ALL >= self._total
        if not has_tenth or now_s - self._line_s < _SECONDS_BETWEEN_LINES:
            return None
        self._line_at, self._line_s = settled, now_s
        share = settled / self._total if self._total else 1
        return f"{settled}/{self._total} games  {share:.0%}  {self.rate(settled, now_s)}"


class RunProgress:
    """Shows how many games are settled; a context manager that leaves the terminal clean."""

    def __init__(
        self, *, quiet: bool, colored: bool, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Say nothing at all if `quiet`; `clock` returns seconds."""
        self._quiet = quiet
        self._colored = colored
        self._clock = clock
        self._course = Course(settled=0, total=0, now_s=clock())
        self._bar: Progress | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Remove the bar."""
        if self._bar is not None:
            self._bar.stop()

    def begun(self, *, settled: int, total: int) -> None:
        """Show where a run begins."""
        self._course = Course(settled=settled, total=total, now_s=self._clock())
        if settled:
            left = f"{total - settled} are left" if settled < total else "nothing is left to play"
            self.notice(f"{settled} of {total} games are played already, {left}")
        if not self._quiet and sys.stderr.isatty() and os.environ.get("TERM") != "dumb":
            self._bar = _new_bar(settled, total, colored=self._colored)
            self._bar.start()

    def advanced(self, settled: int) -> None:
        """Show that so many games of the schedule are settled now."""
        now_s = self._clock()
        if self._bar is not None:
            rate = self._course.rate(settled, now_s)
            self._bar.update(self._bar.task_ids[0], completed=settled, rate=rate)
        elif (line := self._course.line(settled, now_s)) is not None:
            self.notice(line)

    def notice(self, text: str) -> None:
        """Print a line, above the bar if there is one."""
        if self._quiet:
            return
        if self._bar is not None:
            self._bar.console.print(text)
        else:
            with contextlib.suppress(OSError):  # no run ends because nobody listens
                sys.stderr.write(f"{text}\n")
                sys.stderr.flush()


def _new_bar(settled: int, total: int, *, colored: bool) -> Progress:
    from rich.console import Console  # noqa: PLC0415 - only a terminal needs it, and it is slow
    from rich.progress import (  # noqa: PLC0415
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    bar = Progress(
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("games  {task.fields[rate]}"),
        TimeRemainingColumn(),
        console=Console(
            stderr=True,
            no_color=not colored,
            highlight=False,
            markup=False,
            emoji=False,
            soft_wrap=True,
        ),
        transient=True,
    )
    bar.add_task("", total=total, completed=settled, rate="")
    return bar
