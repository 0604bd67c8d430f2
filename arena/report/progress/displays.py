"""What people are shown of a run, and how where there is no terminal: now and then a line."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Self

from arena.report.progress.course import Course
from arena.report.progress.events import FaultSeen
from arena.report.progress.told import Listener

_MOST_FAULTS = 20
_SHOWN_LINES = 5


class FirstFaults:
    """What is said of faults: the first of each bot and kind, and not more than can be read."""

    def __init__(self, replayed_by: Callable[[str], str] | None = None) -> None:
        """`replayed_by` returns the command that replays a game; None: there is none."""
        self._shown: set[tuple[str, str]] = set()
        self._replayed_by = replayed_by

    def text(self, fault: FaultSeen) -> str | None:
        """Return what to say of a fault, None if it is nothing new."""
        first = (fault.version, fault.kind)
        if first in self._shown or len(self._shown) > _MOST_FAULTS:
            return None
        self._shown.add(first)
        if len(self._shown) > _MOST_FAULTS:
            return "there are faults of more bots or kinds; all are in the log"
        lost = f"{fault.bot} lost game {fault.game} by a fault ({fault.kind}): {fault.detail}"
        lines = [lost, *_got(fault.got)]
        lines += [f"what it printed: {fault.log}"] if fault.log is not None else []
        if self._replayed_by is not None:
            lines.append(f"to see it: {self._replayed_by(fault.game)}")
        return "\n    ".join(lines)


def _got(got: str) -> list[str]:
    """Return the end of what came instead; of one line, behind what it is."""
    lines = got.split("\n")[-_SHOWN_LINES:] if got else []
    return [f"got: {lines[0]}"] if len(lines) == 1 else ["got:", *lines] if lines else []


class Display(Listener):
    """A way of showing a run; a context manager that leaves the terminal clean."""

    def __init__(
        self,
        say: Callable[[str], None],
        *,
        replayed_by: Callable[[str], str] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`say` prints a line, `clock` returns seconds; `replayed_by` as in `FirstFaults`."""
        self._say = say
        self._clock = clock
        self._faults = FirstFaults(replayed_by)
        self._course = Course(settled=0, total=0, now_s=clock())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End showing."""

    @contextmanager
    def put_away(self) -> Iterator[None]:
        """Leave the terminal to others for a while."""
        yield

    def begun(self, *, settled: int, total: int) -> None:
        """Show where a run begins."""
        self._course = Course(settled=settled, total=total, now_s=self._clock())
        if settled:
            left = f"{total - settled} are left" if settled < total else "nothing is left to play"
            self._say(f"{settled} of {total} games are settled already, {left}")

    def advanced(self, settled: int) -> None:
        """Take in how many games are settled."""
        self._course.advance(settled, self._clock())

    def faulted(self, fault: FaultSeen) -> None:
        """Say what is new of a fault."""
        text = self._faults.text(fault)
        if text is not None:
            self._say(text)

    def notice(self, text: str) -> None:
        """Print a line."""
        self._say(text)


class PlainDisplay(Display):
    """Plain lines, for files, pipes and terminals that cannot draw."""

    def advanced(self, settled: int) -> None:
        """Print a line if one is due."""
        super().advanced(settled)
        line = self._course.line(self._clock())
        if line is not None:
            self._say(line)
