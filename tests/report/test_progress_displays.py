"""What people are told of a run where nothing can be drawn, and what they are told of faults."""

from __future__ import annotations

from pathlib import Path

from runs import Clock, lost, standings, won

from arena.report.progress.displays import FirstFaults, PlainDisplay
from arena.report.progress.events import fault_seen

GOT = "\n".join(f"line {n}" for n in range(9))


def seen(faults: FirstFaults, *args: str, logs: Path = Path("/nowhere"), got: str = "") -> str:
    """What is said of a fault; empty if nothing is."""
    kind, loser = args
    fault = fault_seen(lost(kind, loser=loser, got=got), logs)
    assert fault is not None
    return faults.text(fault) or ""


# lines


def test_plain_lines() -> None:
    said: list[str] = []
    clock = Clock()
    with PlainDisplay(said.append, clock=clock) as display:
        display.begun(settled=0, total=20)
        for settled in range(1, 21):
            clock.now_s += 10
            display.advanced(settled)
        display.ranked(standings("a", "b"))
        display.notice("[red]b[/red] :boom: lost\n    two")
        with display.put_away():
            pass
    assert [line.split("  ")[0] for line in said[:-1]] == [
        f"{n}/20 games" for n in (3, 6, 9, 12, 15, 18)
    ]
    assert said[0] == "3/20 games  15%  0.1 games/s  3 min left"
    assert said[-1] == "[red]b[/red] :boom: lost\n    two"


def test_where_a_run_begins() -> None:
    said: list[str] = []
    display = PlainDisplay(said.append)
    display.begun(settled=0, total=9)
    display.begun(settled=3, total=9)
    display.begun(settled=9, total=9)
    assert said == [
        "3 of 9 games are settled already, 6 are left",
        "9 of 9 games are settled already, nothing is left to play",
    ]


def test_faults_are_said_and_games_are_not() -> None:
    said: list[str] = []
    display = PlainDisplay(said.append)
    display.played(won())
    fault = fault_seen(lost("crash"), Path("/nowhere"))
    assert fault is not None
    display.faulted(fault)
    display.faulted(fault)
    assert said == ["b lost game a@1:b@2/0/1 by a fault (crash): so it was"]


# faults


def test_the_first_fault_of_each_bot_and_kind_is_said() -> None:
    faults = FirstFaults()
    said = [seen(faults, kind, bot) for bot in ("a@1", "b@2") for kind in ("crash", "illegal") * 2]
    assert [text[:1] for text in said] == ["a", "a", "", "", "b", "b", "", ""]


def test_what_is_said_of_a_fault(tmp_path: Path) -> None:
    log = tmp_path / "b.stderr.log"
    log.touch()
    assert seen(FirstFaults(), "crash", "b@2", logs=tmp_path, got=f"\n{GOT}\n").split("\n") == [
        "b lost game a@1:b@2/0/1 by a fault (crash): so it was",
        "    got:",
        *(f"    line {n}" for n in range(4, 9)),
        f"    what it printed: {log}",
    ]


def test_a_fault_is_said_with_the_command_that_shows_it() -> None:
    said = seen(FirstFaults(lambda game: f"replay {game}"), "crash", "b@2")
    assert said.split("\n")[-1] == "    to see it: replay a@1:b@2/0/1"


def test_what_came_in_one_line_stands_behind_what_it_is() -> None:
    said = seen(FirstFaults(), "malformed", "b@2", got='b"x"')
    assert said.split("\n")[1:] == ['    got: b"x"']


def test_only_so_many_faults_are_said() -> None:
    faults = FirstFaults()
    said = [seen(faults, f"kind {n}", "a@1") for n in range(40)]
    assert all(text.startswith("a lost game ") for text in said[:20])
    assert said[20] == "there are faults of more bots or kinds; all are in the log"
    assert not any(said[21:])


def test_nothing_of_a_bot_can_steer_a_terminal() -> None:
    fault = fault_seen(
        lost("illegal", detail="played \x1b[2J", got="\x1b]0;title\x07\n\u202eevil"), Path("/")
    )
    assert fault is not None
    assert fault.detail == r"played \x1b[2J"
    assert fault.got == "\\x1b]0;title\\x07\n\\u202eevil"
