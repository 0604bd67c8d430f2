"""The log of a run: what was said, every fault, when it began and how it ended."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from arena.logs import append_log
from arena.report.progress.events import FaultSeen, RunFinished
from arena.report.progress.told import Listener
from arena.text import visible

FILE_NAME = "arena.log"


class RunLog(Listener):
    """Writes lines with the time (UTC) before them; a log that cannot be written ends nothing."""

    def __init__(
        self,
        path: Path,
        trouble: Callable[[str], None],
        *,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """Write to `path`; `trouble` is told once if that cannot be done."""
        self._path = path
        self._trouble = trouble
        self._now = now
        self.is_troubled = False
        """Whether something could not be written."""

    def begun(self, *, settled: int, total: int) -> None:
        """Log where the run begins."""
        self.notice(f"run begins: {settled} of {total} games settled")

    def faulted(self, fault: FaultSeen) -> None:
        """Log a fault in one line."""
        parts = [f"{fault.version} lost {fault.game} by a fault ({fault.kind}): {fault.detail}"]
        parts += [f"got: {fault.got}"] if fault.got else []
        parts += [f"what it printed: {fault.log}"] if fault.log is not None else []
        self.notice(visible("; ".join(parts)))

    def notice(self, text: str) -> None:
        """Log what was said; only a line of its own begins with a time."""
        first, *more = (visible(line) for line in text.split("\n"))
        lines = [f"{self._now():%Y-%m-%dT%H:%M:%SZ}  {first}", *(f"    {line}" for line in more)]
        try:
            append_log(self._path, "".join(f"{line}\n" for line in lines))
        except OSError as error:
            if not self.is_troubled:
                self.is_troubled = True
                self._trouble(f"there is no log of this run: {self._path}: {error.strerror}")

    def ended(self, end: RunFinished) -> None:
        """Log how the run ended."""
        parts = [f"run ends: {end.settled} of {end.scheduled} games settled"]
        parts += [f"interrupted by {end.signal}"] if end.signal is not None else []
        parts += [f"error: {end.error}"] if end.error is not None else []
        self.notice(visible("; ".join((*parts, f"exit code {end.exit}"))))
