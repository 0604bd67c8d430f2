"""A run on a terminal, drawn on a screen that the test looks at. No program, no real terminal."""

from __future__ import annotations

import errno
import io
import os
import subprocess
import sys
import time
from collections.abc import Callable

import pyte
import pytest
from runs import Clock, standings

from arena.report.progress import live
from arena.report.progress.live import LiveDisplay, fit
from arena.report.standings import Standings
from arena.report.table import table

BOTS = standings("monte", "rules", "random")


class Screen(io.StringIO):
    """A terminal of a given size."""

    def __init__(self, columns: int, rows: int, encoding: str = "utf-8") -> None:
        super().__init__()
        self._encoding = encoding
        self._screen = pyte.HistoryScreen(columns, rows, history=1000)
        self._screen.set_mode(pyte.modes.LNM)  # as a terminal driver does: \n begins a line
        self._reads = pyte.Stream(self._screen)
        self.written = ""

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._encoding

    def fileno(self) -> int:
        return 99

    def write(self, text: str) -> int:
        text.encode(self._encoding, "backslashreplace")
        self.written += text
        self._reads.feed(text.encode(self._encoding, "backslashreplace").decode(self._encoding))
        return len(text)

    @property
    def lines(self) -> list[str]:
        """What is seen, without the empty rest."""
        return "\n".join(line.rstrip() for line in self._screen.display).rstrip().split("\n")

    @property
    def scrolled(self) -> int:
        """How many lines have left the screen above."""
        return len(self._screen.history.top)

    @property
    def cursor(self) -> tuple[int, int, bool]:
        """Row, column, and whether it is shown."""
        return self._screen.cursor.y, self._screen.cursor.x, not self._screen.cursor.hidden

    def resize(self, columns: int, rows: int) -> None:
        self._screen.resize(rows, columns)


@pytest.fixture(autouse=True)
def _terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "TTY_INTERACTIVE", "TTY_COMPATIBLE", "COLORTERM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "50")  # as it was when a shell was started in another size
    monkeypatch.setenv("LINES", "9")
    monkeypatch.setattr(live, "_REDRAWN_A_SECOND", 0.001)  # only when something is said or asked


class Shown:
    """A display on a screen of its own."""

    def __init__(
        self,
        monkeypatch: pytest.MonkeyPatch,
        columns: int = 100,
        rows: int = 24,
        *,
        colored: bool = False,
        encoding: str = "utf-8",
    ) -> None:
        self._monkeypatch = monkeypatch
        self.screen = Screen(columns, rows, encoding)
        self._set_size(columns, rows)
        self.clock = Clock()
        self.display = LiveDisplay(self.screen, colored=colored, clock=self.clock)

    def _set_size(self, columns: int, rows: int) -> None:
        size = os.terminal_size((columns, rows))
        self._monkeypatch.setattr(os, "get_terminal_size", {self.screen.fileno(): size}.get)

    def resize(self, columns: int, rows: int) -> None:
        self._set_size(columns, rows)
        self.screen.resize(columns, rows)

    def draw(
        self, *, settled: int = 3240, total: int = 6000, found: Standings | None = BOTS
    ) -> list[str]:
        """Begin if need be, and return what is seen ten seconds later."""
        if self.display._live is None:
            self.display.begun(settled=0, total=total)
            self.clock.now_s += 10
        self.display.advanced(settled)
        if found is not None:
            self.display.ranked(found)
        self.refresh()
        return self.screen.lines

    def refresh(self) -> None:
        """As rich does by itself now and then."""
        assert self.display._live is not None
        self.display._live.refresh()


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> Shown:
    return Shown(monkeypatch)


BAR = " " + "━" * 21 + "╸" + " " * 18 + "  3240/6000 games  54%  324 games/s  9 s left"


# table and bar


def test_a_table_and_a_bar_below_what_was_said(shown: Shown) -> None:
    shown.display.notice("autumn: 4 bots")
    assert shown.draw() == ["autumn: 4 bots", "", *table(BOTS).splitlines(), "", BAR]
    shown.display._clear()


def test_only_a_bar_before_there_are_standings(shown: Shown) -> None:
    assert shown.draw(found=None) == [BAR]
    shown.display._clear()


def test_what_is_drawn_is_drawn_over(shown: Shown) -> None:
    for settled in range(100, 3240, 100):
        shown.draw(settled=settled)
    lines = shown.draw()
    assert lines[:-1] == ["", *table(BOTS).splitlines(), ""]
    assert lines[-1].split("  ")[1].strip("━ ") == ""
    assert "3240/6000 games" in lines[-1]
    assert shown.screen.scrolled == 0
    shown.display._clear()


def test_time_goes_by_on_the_bar_while_nothing_comes_in(
    shown: Shown, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "_REDRAWN_A_SECOND", 50)
    with shown.display:
        shown.draw()
        shown.clock.now_s += 10
        assert _becomes(lambda: "162 games/s  17 s left" in shown.screen.lines[-1])


def _becomes(condition: Callable[[], bool]) -> bool:
    end = time.monotonic() + 30
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def test_a_notice_stands_above_and_stays_as_it_was_written(shown: Shown) -> None:
    said = "[red]b[/red] :boom: lost " + 20 * "a long line "
    with shown.display:
        shown.draw()
        shown.display.notice(f"{said}\n    two")
        assert shown.screen.lines[-1] == BAR
    assert said in shown.screen.written
    seen = "".join(line.ljust(100) for line in shown.screen.lines)
    assert seen.startswith(said)
    assert shown.screen.lines[-1] == "    two"


def test_many_notices_scroll_away_and_leave_no_bar_behind(shown: Shown) -> None:
    with shown.display:
        shown.draw()
        for number in range(100):
            shown.display.notice(f"notice {number}")
        rows = len(table(BOTS).splitlines()) + 3
        assert shown.screen.lines[: 24 - rows] == [f"notice {n}" for n in range(76 + rows, 100)]
        assert shown.screen.lines[-1] == BAR
    assert shown.screen.scrolled == 100 + rows - 24 + 1


# an end


def test_nothing_is_left_behind(shown: Shown) -> None:
    shown.display.notice("autumn: 4 bots")
    with shown.display:
        shown.draw()
    assert shown.screen.lines == ["autumn: 4 bots"]
    assert shown.screen.cursor == (1, 0, True)


def test_nothing_is_left_behind_when_a_run_fails(shown: Shown) -> None:
    def fail() -> None:
        with shown.display:
            shown.draw()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert shown.screen.lines == [""]
    assert shown.screen.cursor == (0, 0, True)


def test_a_display_of_a_run_that_never_began(shown: Shown) -> None:
    with shown.display:
        with shown.display.put_away():
            shown.display.notice("no bot can be started")
        assert "games/s" not in shown.screen.written
    assert shown.screen.lines == ["no bot can be started"]


def test_the_cursor_is_never_left_hidden(shown: Shown) -> None:
    """A run may be killed at any moment."""
    with shown.display:
        shown.draw()
        assert shown.screen.cursor[2]


def test_put_away_and_drawn_again_below_what_came_between(shown: Shown) -> None:
    with shown.display:
        shown.draw()
        with shown.display.put_away():
            assert shown.screen.lines == [""]
            shown.screen.write("[1]+ Stopped\n$ fg\n")
        shown.refresh()
        assert shown.screen.lines[:3] == ["[1]+ Stopped", "$ fg", ""]
        assert shown.screen.lines[-1] == BAR
    assert shown.screen.lines == ["[1]+ Stopped", "$ fg"]


@pytest.mark.parametrize(
    "error", [OSError(errno.EIO, "gone"), BrokenPipeError(), RuntimeError("reentrant call")]
)
def test_no_run_ends_because_its_terminal_takes_nothing(
    shown: Shown, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def refuse(*_: object) -> int:
        raise error

    with shown.display:
        shown.draw()
        monkeypatch.setattr(shown.screen, "write", refuse)
        monkeypatch.setattr(shown.screen, "flush", refuse)
        shown.display.notice("anybody?")
        shown.draw()


# sizes


@pytest.mark.parametrize("columns", [10, 20, 40, 60, 79, 80])
def test_a_narrow_terminal_has_shorter_lines(monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    shown = Shown(monkeypatch, columns)
    with shown.display:
        for settled in range(0, 3240, 500):
            shown.draw(settled=settled)
        lines = shown.draw()
        width = max(columns - 4, 1)
        assert lines[1:-2] == [line[:width].rstrip() for line in table(BOTS).splitlines()]
        assert len(lines) == len(table(BOTS).splitlines()) + 3
        said = "3240/6000 games  54%  324 games/s  9 s left"
        assert lines[-1] == (f" {said}"[:width].rstrip() if columns < 60 else lines[-1])
        assert (said in lines[-1]) == (columns >= 60)
        assert ("━" in lines[-1]) == (columns >= 60)
    assert shown.screen.lines == [""]


@pytest.mark.parametrize("answer", [os.terminal_size((0, 0)), OSError()])
def test_a_terminal_that_does_not_know_its_size_is_taken_for_a_usual_one(
    monkeypatch: pytest.MonkeyPatch, answer: object
) -> None:
    shown = Shown(monkeypatch, 80, 24)

    def ask(_: int) -> object:
        if isinstance(answer, OSError):
            raise answer
        return answer

    monkeypatch.setattr(os, "get_terminal_size", ask)
    with shown.display:
        lines = shown.draw(found=standings(*"abcdefghijklmnopqrstuvwxyz"))
        assert (len(lines), len(lines[-1])) == (23, 76)
        assert shown.screen.scrolled == 0


@pytest.mark.parametrize("columns", [1, 4, 5])
def test_a_terminal_too_narrow_for_anything(monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    shown = Shown(monkeypatch, columns)
    with shown.display:
        for settled in range(0, 3240, 500):
            assert shown.draw(settled=settled) == [""]
    assert shown.screen.scrolled == 0


@pytest.mark.parametrize(
    ("rows", "seen"), [(1, 0), (5, 0), (6, 0), (7, 3), (10, 6), (15, 11), (16, 12), (17, 13)]
)
def test_more_bots_than_lines(monkeypatch: pytest.MonkeyPatch, rows: int, seen: int) -> None:
    shown = Shown(monkeypatch, rows=rows)
    bots = standings(*(f"bot{n:02}" for n in range(12)))
    whole = table(bots).splitlines()
    with shown.display:
        lines = shown.draw(found=bots)
        assert lines[-1] == BAR
        drawn = lines[1:-2]
        if seen == 13:
            assert drawn == whole
        elif seen:
            assert drawn == [*whole[: seen - 1], f" ... and {13 - seen + 1} more"]
        else:
            assert lines == [BAR]
        assert shown.screen.scrolled == 0
    assert shown.screen.lines == [""]


def test_the_lines_of_a_table_that_are_cut_are_counted() -> None:
    assert fit(("head", "a", "b", "", "c"), 3) == ["", "head", "a", " ... and 2 more", ""]
    assert fit((), 30) == []


def test_a_terminal_that_becomes_smaller_and_larger(shown: Shown) -> None:
    with shown.display:
        shown.draw()
        for columns, rows in ((40, 24), (40, 8), (120, 30), (100, 24)):
            shown.resize(columns, rows)
            lines = shown.draw()
            assert sum("games" in line and "54%" in line for line in lines) == 1
            assert all(len(line) <= columns - 4 for line in lines)
    assert [line for line in shown.screen.lines if "games" in line] == []
    assert shown.screen.cursor[1:] == (0, True)


# letters and colours


def test_wide_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = Shown(monkeypatch, 40)
    bots = standings("机器人" * 4, "b", "c")
    with shown.display:
        for settled in range(0, 3240, 500):
            shown.draw(settled=settled, found=bots)
        lines = shown.draw(found=bots)
        assert len(lines) == 7
        assert "机器人" * 4 in lines[2]
    assert shown.screen.lines == [""]


def test_letters_that_the_terminal_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = Shown(monkeypatch, 60, encoding="ascii")
    bots = standings("Бот" * 13, "b", "c")
    with shown.display:
        for settled in range(0, 3240, 500):
            shown.draw(settled=settled, found=bots)
        lines = shown.draw(found=bots)
        assert len(lines) == 7
        assert r"\u0411\u043e\u0442" in lines[2]
        assert lines[-1].startswith(" ---")
    assert shown.screen.lines == [""]


@pytest.mark.parametrize("colored", [True, False])
def test_colour_only_if_wanted(monkeypatch: pytest.MonkeyPatch, colored: bool) -> None:
    monkeypatch.setenv("FORCE_COLOR" if not colored else "NO_COLOR", "1")
    shown = Shown(monkeypatch, colored=colored)
    with shown.display:
        shown.draw()
    assert ("\x1b[38" in shown.screen.written) == colored


def test_rich_is_not_loaded_where_nothing_is_drawn() -> None:
    program = (
        "import sys\n"
        "from arena.report.progress import live, displays\n"
        "displays.PlainDisplay(print).begun(settled=0, total=1)\n"
        "print(*sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert not [name for name in done.stdout.split() if name.startswith("rich")]
