"""How a run goes, on stderr: a bar on a terminal, now and then a plain line elsewhere.

The only module that imports rich.
"""

from __future__ import annotations

import time
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

_STEP = 0.1
_SECONDS_BETWEEN_LINES = 30


class RunProgress:
    """Shows how many games are settled; a context manager that leaves the terminal clean."""

    def __init__(self, *, quiet: bool, colored: bool) -> None:
        """Say nothing at all if `quiet`."""
        self._quiet = quiet
        self._console = Console(stderr=True, no_color=not colored, highlight=False, soft_wrap=True)
        self._bar: Progress | None = None
        self._total = 0
        self._began_s = self._line_s = time.monotonic()
        self._began_at = self._line_at = 0

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
        self._total, self._began_at, self._line_at = total, settled, settled
        self._began_s = self._line_s = time.monotonic()
        if self._console.is_terminal and not self._quiet:
            self._bar = Progress(
                BarColumn(),
                MofNCompleteColumn(),
                TextColumn("games  {task.fields[rate]}"),
                TimeRemainingColumn(),
                console=self._console,
                transient=True,
            )
            self._bar.add_task("", total=total, completed=settled, rate="")
            self._bar.start()

    def advanced(self, settled: int) -> None:
        """Show that so many games of the schedule are settled now."""
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], completed=settled, rate=self._rate(settled))
        elif not self._quiet and self._is_time_for_a_line(settled):
            self._line_s, self._line_at = time.monotonic(), settled
            share = settled / max(self._total, 1)
            self.notice(f"{settled}/{self._total} games  {share:.0%}  {self._rate(settled)}")

    def notice(self, text: str) -> None:
        """Print a line above the bar."""
        if not self._quiet:
            self._console.print(Text(text))

    def _rate(self, settled: int) -> str:
        seconds = time.monotonic() - self._began_s
        return f"{(settled - self._began_at) / max(seconds, 1e-9):.0f} games/s"

    def _is_time_for_a_line(self, settled: int) -> bool:
        """Whether a tenth has been played and half a minute has gone by: whichever is rarer."""
        played = settled - self._line_at >= _STEP * self._total
        return played and time.monotonic() - self._line_s >= _SECONDS_BETWEEN_LINES
