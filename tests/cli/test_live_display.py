"""A run on a real terminal: what is drawn, and what is left of it however the run ends."""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest
from commands import (
    RANDOM_BOT,
    Tournament,
    arena,
    bots_in,
    cells,
    new_tournament,
    processes_in,
    wait_until,
)
from terminal import CTRL_C, CTRL_Z, Terminal, terminal

from arena.cli.output import Output
from arena.cli.run import choose_display
from arena.report.progress.displays import PlainDisplay
from arena.report.progress.live import LiveDisplay

ARENA = (sys.executable, "-m", "arena")
RUN = (*ARENA, "tournament", "tour.yaml")
HEAD = " rank  bot"


def thinking(seconds: float) -> str:
    """The source of a bot that thinks so long about each decision."""
    return RANDOM_BOT.replace("return self", f"time.sleep({seconds})\n        return self").replace(
        "from arena", "import time\n\nfrom arena", 1
    )


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Tournament:
    """A tournament with a board played, so that there is a table from the beginning."""
    tournament = Tournament(tmp_path_factory.mktemp("begun"))
    bots = [tournament.add_bot(name, thinking(0.001)) for name in ("a", "b")]
    tournament.configure(*bots, boards=1, tables=1, run={"workers": 2})
    assert arena("tournament", "tour.yaml", folder=tournament.folder).code == 0
    return tournament


@pytest.fixture
def long(begun: Tournament, tmp_path: Path) -> Tournament:
    """Games are played all the time, and far more are left than any test waits for."""
    tournament = begun.copy(tmp_path)
    tournament.configure("a.py", "b.py", boards=5000, tables=1, run={"workers": 2})
    return tournament


@pytest.fixture
def slow(tmp_path: Path) -> Tournament:
    """No game of it ends within a test."""
    tournament = Tournament(tmp_path)
    bots = [tournament.add_bot(name, thinking(1)) for name in ("a", "b")]
    limits = {"move": "60s", "game": None}
    tournament.configure(*bots, options={}, limits=limits, run={"workers": 2, "finish": "1h"})
    return tournament


@contextmanager
def playing(tournament: Tournament, *command: str, **options: object) -> Iterator[Terminal]:
    """The run on a terminal, once it has drawn its table and its bar."""
    with terminal(*(command or RUN), folder=tournament.folder, **options) as shown:  # type: ignore[arg-type]
        assert shown.shows(HEAD, "games/s"), shown.lines
        yield shown


def drawn(shown: Terminal) -> list[str]:
    """What is left of the table and the bar on the screen."""
    return [line for line in shown.lines if HEAD in line or "games/s" in line or "━" in line]


def saved(shown: Terminal) -> int:
    """How many games a run says it has saved, in the last lines but one."""
    said, again = shown.lines[-2:]
    assert again == "To continue:  arena tournament tour.yaml"
    found = re.fullmatch(r"saved, (\d+) of \d+ games\.", said)
    assert found, said
    return int(found[1])


# while it runs


def test_what_is_drawn_while_games_are_played(long: Tournament) -> None:
    with playing(long) as shown:
        assert shown.shows("2 bots, 1 match x 5000 boards = 10000 games, 2 workers")
        lines = but_for_the_level(shown)
        assert lines[0].startswith("tour: 2 bots, ")
        assert lines[1].startswith("cards committed: ")
        assert lines[2] == "2 of 10000 games are settled already, 9998 are left"
        assert lines[3] == ""
        assert lines[4].split()[:4] == ["rank", "bot", "Elo", "±95%"]
        assert sorted(line.split()[1] for line in lines[5:7]) == ["a", "b"]
        assert lines[7] == ""
        assert re.fullmatch(r" (━|╸|╺)+ +2/10000 games  0%  0 games/s", lines[8])
        assert len(lines) == 9
        later = r" (━|╸|╺)+ +\d+/10000 games  \d+%  [\d.]+ games/s  \d+ (s|min|h \d+ min) left"
        assert shown.comes(lambda: re.fullmatch(later, shown.lines[-1])), shown.lines
        assert shown.comes(lambda: games_in_table(shown) > 2), "so does the table"


def but_for_the_level(shown: Terminal) -> list[str]:
    """What is on the screen, without the line that tells of the level of isolation."""
    return [line for line in shown.lines if not line.startswith("isolation: ")]


def games_in_table(shown: Terminal) -> int:
    lines = but_for_the_level(shown)
    return int(cells(lines[5])[5])


def test_the_screen_after_a_run(tmp_path: Path) -> None:
    tournament = new_tournament(tmp_path, "a", "b", boards=20)
    with terminal(*RUN, folder=tournament.folder) as shown:
        assert shown.end() == 0
        lines = shown.lines
        told = [line.partition(" ")[0] for line in lines[:3]]
        assert told == ["tour:", "cards", "isolation:"]
        assert lines[3].startswith(HEAD)
        assert lines[-2:] == ["log: results/tour/arena.log", "results: results/tour"]
        assert len([line for line in lines if HEAD in line]) == 1
        assert "games/s" not in "\n".join(lines)
        assert shown.is_clean
        assert shown.screen.cursor.y == len(lines)


@pytest.mark.parametrize(("env", "colored"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_colour(tmp_path: Path, env: dict[str, str], colored: bool) -> None:
    tournament = new_tournament(tmp_path, "a", "b", boards=1)
    with terminal(*RUN, folder=tournament.folder, env=env) as shown:
        assert shown.end() == 0
        assert (b"\x1b[38;" in shown.written) == colored
        assert b"games/s" in shown.written


@pytest.mark.parametrize(
    ("is_drawn", "different"),
    [
        (True, {}),
        (True, {"stdout": False}),
        (True, {"stdout": False, "as_json": True}),
        (False, {"as_json": True}),  # events would be drawn over
        (False, {"stderr": False}),
        (False, {"quiet": True}),
        (False, {"term": "dumb"}),
        (False, {"term": "unknown"}),
        (False, {"term": ""}),
    ],
)
def test_where_a_run_is_drawn(
    monkeypatch: pytest.MonkeyPatch, is_drawn: bool, different: dict[str, object]
) -> None:
    usual = {"stdout": True, "stderr": True, "as_json": False, "quiet": False, "term": "xterm"}
    now = usual | different
    for name in ("stdout", "stderr"):
        monkeypatch.setattr(getattr(sys, name), "isatty", lambda name=name: now[name])
    monkeypatch.setenv("TERM", str(now["term"]))
    output = Output(quiet=bool(now["quiet"]), verbose=False, color="auto")
    display = choose_display(output, as_json=bool(now["as_json"]))
    assert type(display) is (LiveDisplay if is_drawn else PlainDisplay)


def test_quiet_draws_nothing(tmp_path: Path) -> None:
    tournament = new_tournament(tmp_path, "a", "b", boards=1)
    with terminal(*ARENA, "-q", "tournament", "tour.yaml", folder=tournament.folder) as shown:
        assert shown.end() == 0
        assert b"\x1b" not in shown.written
        assert shown.lines[0].startswith(HEAD)
        assert len(shown.lines) == 3


def test_events_on_a_terminal_are_not_drawn_over(tmp_path: Path) -> None:
    tournament = new_tournament(tmp_path, "a", "b", boards=1)
    command = (*RUN, "--json")
    with terminal(*command, folder=tournament.folder) as shown:
        assert shown.end() == 0
        assert b"\x1b" not in shown.written
        assert shown.written.count(b'{"event":"game"') == 2


def test_events_in_a_file_leave_the_terminal_to_the_display(long: Tournament) -> None:
    events = long.folder / "events.jsonl"
    with playing(long, *RUN, "--json", stdout=events) as shown:
        assert shown.comes(lambda: b'{"event":"standings"' in events.read_bytes())
        shown.type(CTRL_C)
        assert shown.end() == 130
        assert not drawn(shown)
    assert events.read_bytes().splitlines()[-1].startswith(b'{"event":"run_finished"')


def test_another_size(long: Tournament) -> None:
    with playing(long) as shown:
        assert shown.shows("isolation: ")
        for columns, rows, has_bar in ((50, 30, False), (50, 7, False), (120, 40, True)):
            shown.resize(columns, rows)
            assert shown.comes(partial(fits, shown, columns - 4, has_bar=has_bar)), shown.lines
        shown.type(CTRL_C)
        assert shown.end() == 130
        assert not drawn(shown)
        assert shown.is_clean


def fits(shown: Terminal, widest: int, *, has_bar: bool) -> bool:
    """Whether table and bar are drawn once, and not wider than that."""
    lines = drawn(shown)
    is_whole = len(lines) == 2 and "games/s" in lines[1] and ("━" in lines[1]) == has_bar
    return is_whole and all(len(line) <= widest for line in lines)


# stopped


def test_ctrl_c_lets_running_games_finish(long: Tournament) -> None:
    with playing(long) as shown:
        assert shown.comes(lambda: len(bots_in(long)) == 4)
        shown.type(CTRL_C)
        assert shown.end() == 130
        assert not drawn(shown)
        assert but_for_the_level(shown)[3].startswith("stopping: ")
        assert saved(shown) == long.stored() > 0
        assert shown.is_clean
        assert wait_until(lambda: not processes_in(long.folder))


def test_a_second_ctrl_c_stops_at_once(slow: Tournament) -> None:
    with terminal(*RUN, folder=slow.folder) as shown:
        assert shown.comes(lambda: len(bots_in(slow)) == 4)
        shown.type(CTRL_C)
        assert shown.shows("stopping: ", "games/s")
        assert shown.process.poll() is None
        shown.type(CTRL_C)
        assert shown.end() == 130
        assert saved(shown) == 0
        assert not drawn(shown)
        assert shown.is_clean
        assert wait_until(lambda: not processes_in(slow.folder))


@pytest.mark.parametrize("asked", [signal.SIGTERM, signal.SIGHUP])
def test_asked_by_another_program(long: Tournament, asked: signal.Signals) -> None:
    with playing(long) as shown:
        shown.process.send_signal(asked)
        assert shown.end() == 128 + asked
        assert not drawn(shown)
        assert saved(shown) == long.stored()
        assert shown.is_clean


def test_a_terminal_that_is_closed_interrupts_the_run(long: Tournament) -> None:
    with playing(long) as shown:
        shown.close()
        assert wait_until(lambda: shown.process.poll() is not None)
        assert shown.process.returncode == 128 + signal.SIGHUP
        assert wait_until(lambda: not processes_in(long.folder))
    stored = long.stored()
    assert stored > 0
    long.configure("a.py", "b.py", boards=1, tables=1)
    again = arena("tournament", "tour.yaml", folder=long.folder)
    assert again.code == 0
    assert "2 of 2 games are settled already" in again.err
    assert long.stored() == stored


def test_a_run_goes_on_without_its_terminal_if_it_was_told_to(long: Tournament) -> None:
    """As under nohup, but with everything still going to the terminal."""
    long.configure("a.py", "b.py", boards=50, tables=1, run={"workers": 2})
    table = long.folder / "table.txt"
    command = ("sh", "-c", f"trap '' HUP; exec {' '.join(RUN)}")
    with playing(long, *command, stdout=table) as shown:
        shown.close()
        assert wait_until(lambda: shown.process.poll() is not None)
        assert shown.process.returncode == 0
    assert long.stored() == 100
    assert table.read_text().startswith(HEAD)


def test_ctrl_z_leaves_the_terminal_to_the_shell(long: Tournament) -> None:
    script = f"set -m; {' '.join(RUN)}; echo the shell; read line; fg; echo ended with $?"
    with playing(long, "bash", "-c", script) as shown:
        shown.type(CTRL_Z)
        assert shown.shows("the shell")
        assert not drawn(shown)
        assert shown.is_clean
        shown.type("go on\n")
        assert shown.shows("go on", HEAD, "games/s")
        assert len(drawn(shown)) == 2
        shown.type(CTRL_C)
        assert shown.shows("ended with 130")
        assert shown.end() == 0
        assert not drawn(shown)


def test_stopped_without_a_word_and_continued(long: Tournament) -> None:
    with playing(long) as shown:
        shown.process.send_signal(signal.SIGSTOP)
        status = os.waitid(os.P_PID, shown.process.pid, os.WSTOPPED | os.WNOWAIT)
        assert status is not None
        assert len(drawn(shown)) == 2
        before = len(shown.written)
        shown.process.send_signal(signal.SIGCONT)
        assert shown.comes(lambda: len(shown.written) > before)
        assert len(drawn(shown)) == 2
        shown.type(CTRL_C)
        assert shown.end() == 130
        assert not drawn(shown)
        assert shown.is_clean


def test_killed_it_leaves_a_cursor(long: Tournament) -> None:
    with playing(long) as shown:
        shown.process.kill()
        shown.end()
        assert not shown.screen.cursor.hidden
