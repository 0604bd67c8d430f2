"""A run on a terminal: above what is said, below a table and a bar that are drawn again and again.

The only module that imports rich, and it does so only when there is a terminal.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import TracebackType
from typing import TYPE_CHECKING, TextIO, cast

from arena.report.progress.course import Course
from arena.report.progress.displays import Display
from arena.report.standings import Standings
from arena.report.table import table
from arena.text import visible_lines

if TYPE_CHECKING:
    from rich.console import Console, ConsoleDimensions, ConsoleOptions, RenderResult
    from rich.live import Live
    from rich.segment import Segment

_REDRAWN_A_SECOND = 4
_SPARE_COLUMNS = 4
"""At the end of each line, for the ^C that a terminal writes behind the bar."""
_LINES_BESIDE_TABLE = 4
"""One above it, one below it, the bar, and one to spare."""
_WIDEST_BAR, _NARROWEST_BAR = 40, 8
_GAP = "  "
_USUAL_COLUMNS, _USUAL_ROWS = 80, 24
"""Of terminals that do not know their size."""


class LiveDisplay(Display):
    """Shows how the bots stand and how far the run is, below everything that is said."""

    def __init__(
        self,
        stream: TextIO,
        *,
        colored: bool,
        replayed_by: Callable[[str], str] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Draw on the terminal that `stream` leads to; all else as of `Display`."""
        super().__init__(self._print, replayed_by=replayed_by, clock=clock)
        self._stream = stream
        self._console = _console(stream, colored=colored)
        self._live: Live | None = None
        self._table: tuple[str, ...] = ()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Remove the table and the bar."""
        self._clear()

    def begun(self, *, settled: int, total: int) -> None:
        """Show where a run begins, and from now on how far it is."""
        super().begun(settled=settled, total=total)
        self._draw()

    def ranked(self, standings: Standings) -> None:
        """Show another table."""
        self._table = tuple(table(standings).splitlines())

    @contextmanager
    def put_away(self) -> Iterator[None]:
        """Remove what is drawn, and draw it again where the cursor stands then."""
        is_drawn = self._live is not None
        self._clear()
        yield
        if is_drawn:
            self._draw()

    def _clear(self) -> None:
        if self._live is not None:
            self._live.stop()
            self._live = None

    def _draw(self) -> None:
        from rich.live import Live  # noqa: PLC0415 - only a terminal needs it, and it is slow

        self._live = Live(
            console=self._console,
            transient=True,
            refresh_per_second=_REDRAWN_A_SECOND,
            redirect_stdout=False,
            redirect_stderr=False,
            get_renderable=self._area,
        )
        self._live.start(refresh=True)
        self._console.show_cursor()  # so that not even a SIGKILL leaves it hidden

    def _area(self) -> _Area:
        """Return what is to be seen now, fit for the size that the terminal has now."""
        self._console.size = _size(self._stream)
        return _Area(self._table, self._course, self._clock())

    def _print(self, text: str) -> None:
        from rich.text import Text  # noqa: PLC0415

        self._console.print(Text(visible_lines(text)), soft_wrap=True)


class _Area:
    """What is drawn: the table, as much of it as there is room for, and the bar."""

    def __init__(self, lines: tuple[str, ...], course: Course, now_s: float) -> None:
        self._lines = lines
        self._share = course.share
        self._text = course.text(now_s)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        from rich.text import Text  # noqa: PLC0415

        width = max(options.size.width - _SPARE_COLUMNS, 1)
        for number, line in enumerate(fit(self._lines, options.size.height - _LINES_BESIDE_TABLE)):
            # What the terminal's letters lack takes more columns in escapes: measure it as written.
            written = line.encode(options.encoding, "backslashreplace").decode(options.encoding)
            shown = Text(written, style="bold" if number == 1 else "")
            shown.truncate(width, overflow="crop")
            yield shown
        yield from self._bar(console, options, width)

    def _bar(self, console: Console, options: ConsoleOptions, width: int) -> Iterator[Segment]:
        from rich.progress_bar import ProgressBar  # noqa: PLC0415
        from rich.segment import Segment  # noqa: PLC0415

        room = min(width - len(self._text) - len(_GAP) - 1, _WIDEST_BAR)
        text = f" {self._text}"[:width]
        if room >= _NARROWEST_BAR:
            bar = ProgressBar(total=1, completed=self._share, width=room)
            drawn = list(console.render(bar, options))
            yield from (Segment(" "), *drawn)
            # Without colour what is not done yet is not drawn.
            missing = room - sum(segment.cell_length for segment in drawn)
            text = f"{' ' * missing}{_GAP}{self._text}"
        yield Segment(text)


def fit(lines: tuple[str, ...], room: int) -> list[str]:
    """Return the lines of a table, between empty ones, cut so that so many lines are enough."""
    if not lines or room <= 2:  # noqa: PLR2004 - the head, a bot and how many more
        return []
    if len(lines) > room:
        cut = len([line for line in lines[room - 1 :] if line])
        lines = (*lines[: room - 1], f" ... and {cut} more")
    return ["", *lines, ""]


class _Patient:
    """A terminal that may go away: what cannot be written there is dropped, and the run goes on.

    `RuntimeError` is what a write raises that a signal has put into the middle of another.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self.encoding = stream.encoding

    def write(self, text: str) -> int:
        with suppress(OSError, RuntimeError):
            self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        with suppress(OSError, RuntimeError):
            self._stream.flush()


def _size(stream: TextIO) -> ConsoleDimensions:
    """Ask the terminal itself: what the environment says of its size is not kept up to date."""
    from rich.console import ConsoleDimensions  # noqa: PLC0415

    try:
        columns, rows = os.get_terminal_size(stream.fileno())
    except OSError:
        columns, rows = 0, 0
    return ConsoleDimensions(columns or _USUAL_COLUMNS, rows or _USUAL_ROWS)


def _console(stream: TextIO, *, colored: bool) -> Console:
    from rich.console import Console  # noqa: PLC0415

    return Console(
        file=cast("TextIO", _Patient(stream)),
        force_terminal=True,
        force_interactive=True,
        color_system="auto" if colored else None,
        no_color=not colored,
        highlight=False,
        markup=False,
        emoji=False,
    )
