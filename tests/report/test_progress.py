"""How a run is shown: lines by a clock that the test holds, a bar on a terminal of its own."""

from __future__ import annotations

import os
import pty
from collections.abc import Iterator
from contextlib import redirect_stderr

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.report.progress import Course, RunProgress


class Clock:
    """Seconds that go by when the test says so."""

    def __init__(self) -> None:
        self.now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


# when a line is due


def lines(total: int, *steps: tuple[float, int], settled: int = 0) -> list[str | None]:
    """What is said at each of `steps`: (seconds since the beginning, games settled)."""
    course = Course(settled=settled, total=total, now_s=5.0)
    return [course.line(now, 5.0 + seconds) for seconds, now in steps]


def test_no_line_before_half_a_minute() -> None:
    assert lines(100, (29.9, 90), (30.0, 90)) == [None, "90/100 games  90%  3 games/s"]


def test_no_line_before_a_tenth() -> None:
    assert lines(100, (600, 9), (600, 10)) == [None, "10/100 games  10%  0 games/s"]


def test_both_count_from_the_last_line() -> None:
    steps = ((30, 15), (59, 40), (60, 24), (60, 25), (500, 34))
    said = [line is not None for line in lines(100, *steps)]
    assert said == [True, False, False, True, False]


def test_rate_and_tenth_count_from_the_beginning_of_this_run() -> None:
    steps = ((40, 509), (40, 600), (50, 600))
    assert lines(1000, *steps, settled=500) == [None, "600/1000 games  60%  2 games/s", None]


def test_no_time_is_no_rate() -> None:
    assert Course(settled=0, total=0, now_s=3.0).rate(5, 3.0) == "0 games/s"


@given(st.lists(st.tuples(st.floats(0, 10), st.integers(0, 30))), st.integers(1, 1000))
def test_never_more_than_ten_lines_nor_two_in_half_a_minute(
    moves: list[tuple[float, int]], total: int
) -> None:
    course = Course(settled=0, total=total, now_s=0.0)
    now_s, settled, said = 0.0, 0, []
    for seconds, games in moves:
        now_s, settled = now_s + seconds, min(settled + games, total)
        if course.line(settled, now_s) is not None:
            said.append(now_s)
    assert len(said) <= 10
    assert all(later - earlier >= 30 for earlier, later in zip([0.0, *said], said, strict=False))


# away from a terminal


def test_plain_lines(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    clock = Clock()
    with RunProgress(quiet=False, colored=True, clock=clock) as progress:
        progress.begun(settled=0, total=20)
        for settled in range(1, 21):
            clock.now_s += 10
            progress.advanced(settled)
        progress.notice("[red]b[/red] :boom: lost\n    two")
    out, err = capsys.readouterr()
    assert out == ""
    shown = [f"{n}/20 games  {n * 5}%  0 games/s" for n in (3, 6, 9, 12, 15, 18)]
    assert err.splitlines() == [*shown, "[red]b[/red] :boom: lost", "    two"]


def test_quiet_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    clock = Clock()
    with RunProgress(quiet=True, colored=False, clock=clock) as progress:
        progress.begun(settled=0, total=1)
        clock.now_s += 100
        progress.advanced(1)
        progress.notice("this")
    assert capsys.readouterr() == ("", "")


# on a terminal


class Screen:
    """A terminal whose other end the test reads."""

    def __init__(self) -> None:
        self._controller, terminal = pty.openpty()
        self.stream = os.fdopen(terminal, "w", encoding="utf-8")

    def close(self) -> None:
        if not self.stream.closed:
            self.stream.close()

    def text(self) -> str:
        """Close it and return all that was shown."""
        self.close()
        shown = b""
        try:
            while chunk := os.read(self._controller, 4096):
                shown += chunk
        except OSError:  # the end of it on Linux
            pass
        os.close(self._controller)
        return shown.decode()


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> Iterator[Screen]:
    screen = Screen()
    for name in ("NO_COLOR", "FORCE_COLOR", "TTY_INTERACTIVE", "TTY_COMPATIBLE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "120")
    yield screen
    screen.close()


HIDE_CURSOR, SHOW_CURSOR, ERASE_LINE = "\x1b[?25l", "\x1b[?25h", "\x1b[2K"


def show(screen: Screen, *, colored: bool = False, quiet: bool = False, seconds: float = 2) -> str:
    """Show a short run; return all that the terminal got."""
    clock = Clock()
    with (
        redirect_stderr(screen.stream),
        RunProgress(quiet=quiet, colored=colored, clock=clock) as progress,
    ):
        progress.begun(settled=10, total=40)
        clock.now_s += seconds
        progress.advanced(30)
        progress.notice("[red]b[/red] :boom: lost " + 20 * "a long line ")
    return screen.text()


def test_a_bar_that_leaves_nothing_behind(screen: Screen) -> None:
    shown = show(screen)
    assert "30/40 games  10 games/s" in shown
    hidden, restored = shown.index(HIDE_CURSOR), shown.rindex(SHOW_CURSOR)
    assert hidden < restored
    assert ERASE_LINE in shown[restored:]
    assert "games" not in shown[restored:]


def test_a_notice_above_the_bar_stays_as_it_was_written(screen: Screen) -> None:
    assert "[red]b[/red] :boom: lost " + 20 * "a long line " in show(screen)


def test_the_bar_goes_too_when_a_run_fails(screen: Screen) -> None:
    def fail() -> None:
        with RunProgress(quiet=False, colored=False) as progress:
            progress.begun(settled=0, total=1)
            raise ZeroDivisionError

    with redirect_stderr(screen.stream), pytest.raises(ZeroDivisionError):
        fail()
    shown = screen.text()
    assert shown.index(HIDE_CURSOR) < shown.index(SHOW_CURSOR)


@pytest.mark.parametrize("colored", [True, False])
def test_colour_only_if_wanted(screen: Screen, colored: bool) -> None:
    assert ("\x1b[3" in show(screen, colored=colored)) == colored


def test_no_bar_where_the_terminal_cannot_draw_it(
    screen: Screen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "dumb")
    shown = show(screen, seconds=40)
    assert "\x1b" not in shown
    assert shown.startswith(
        "10 of 40 games are played already, 30 are left\r\n30/40 games  75%  0 games/s\r\n"
    )


def test_quiet_is_quiet_on_a_terminal_too(screen: Screen) -> None:
    assert show(screen, quiet=True) == ""
