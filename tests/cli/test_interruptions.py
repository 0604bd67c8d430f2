"""Runs that are still going on: stopped at once, looked at, or started a second time."""

from __future__ import annotations

import json
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from commands import (
    RANDOM_BOT,
    Tournament,
    arena,
    bots_in,
    call,
    end_of,
    interrupted,
    new_tournament,
    processes_in,
    running,
    wait_until,
)

from arena.cli import run as run_module
from arena.tournament.entering import enter

SLOW_BOT = RANDOM_BOT.replace("return self", "time.sleep(0.5)\n        return self").replace(
    "from arena", "import time\n\nfrom arena", 1
)


@pytest.fixture
def tournament(tmp_path: Path) -> Tournament:
    """Two bots that take their time: no game of it ends within a test."""
    tournament = Tournament(tmp_path)
    bots = [tournament.add_bot(name, SLOW_BOT) for name in ("a", "b")]
    slow = {"move": "60s", "game": None}
    tournament.configure(*bots, options={}, limits=slow, run={"workers": 2, "finish": "1h"})
    return tournament


@pytest.fixture
def run(tournament: Tournament) -> Iterator[subprocess.Popen[str]]:
    """Its run, when games are being played."""
    with running("tournament", "tour.yaml", folder=tournament.folder) as process:
        assert wait_until(lambda: len(bots_in(tournament)) == 4)
        yield process


def test_a_second_run_is_refused(tournament: Tournament, run: subprocess.Popen[str]) -> None:
    second = arena("tournament", "tour.yaml", folder=tournament.folder)
    assert (second.code, second.out) == (4, "")
    assert second.err == (
        f"error: another arena is running this tournament (pid {run.pid});"
        " to stop it: `arena stop CONFIG`\n"
    )
    assert run.poll() is None


def test_rankings_and_export_of_a_run_without_a_game(
    tournament: Tournament, run: subprocess.Popen[str], capfd: pytest.CaptureFixture[str]
) -> None:
    shown = call(capfd, "rankings", tournament.config)
    assert shown.code == 0
    assert [row.split() for row in shown.out.splitlines()[1:]] == [
        ["-", name, "-", "-", "-", "0", "-", "-", "0"] for name in ("a", "b")
    ]
    assert "0 of 6 games" in shown.err
    rankings = json.loads(call(capfd, "rankings", "--json", tournament.config).out)
    assert (rankings["games"], rankings["scheduled"], rankings["complete"]) == (0, 6, False)
    assert call(capfd, "export", tournament.config).out.startswith('{"bots":{"a@1":')
    assert run.poll() is None


@pytest.mark.parametrize("asked", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_asked_twice_it_stops_at_once(
    tournament: Tournament, run: subprocess.Popen[str], asked: signal.Signals
) -> None:
    run.send_signal(asked)
    assert run.stderr is not None
    said = [run.stderr.readline() for _ in range(4)]
    assert said[3] == "stopping: running games finish; once more to stop at once\n"
    assert run.poll() is None
    run.send_signal(asked)
    done = end_of(run)
    assert done.code == 128 + asked
    assert done.err.splitlines() == [
        "saved, 0 of 6 games.",
        "To continue:  arena tournament tour.yaml",
    ]
    assert not processes_in(tournament.folder)


def test_a_stop_waits_no_longer_than_it_was_told(tournament: Tournament) -> None:
    text = tournament.config.read_text()
    tournament.config.write_text(text.replace('"finish": "1h"', '"finish": "0s"'))
    with running("tournament", "tour.yaml", folder=tournament.folder) as run:
        assert wait_until(lambda: len(bots_in(tournament)) == 4)
        run.send_signal(signal.SIGTERM)
        assert end_of(run).code == 143
        assert not processes_in(tournament.folder)


def test_the_command_that_continues_works_where_this_one_was_run(tournament: Tournament) -> None:
    tournament.config.rename(tournament.folder / "my tour.yaml")
    place = tournament.folder.parent
    words = ("-C", tournament.folder.name, "tournament", "my tour.yaml")
    with running(*words, folder=place) as run:
        assert wait_until(lambda: processes_in(tournament.folder / "results"))
        _, said = interrupted(run, signal.SIGINT)
    continued = f"To continue:  arena -C {tournament.folder.name} tournament 'my tour.yaml'"
    assert said[-1] == continued


def test_a_stop_while_bots_are_being_started(tournament: Tournament) -> None:
    for name in ("a", "b"):
        tournament.add_bot(name, "import time\ntime.sleep(60)\n")
    tournament.configure("a.py", "b.py", limits={"start": "60s"})
    with running("tournament", "tour.yaml", folder=tournament.folder) as run:
        assert wait_until(lambda: bots_in(tournament))
        run.send_signal(signal.SIGINT)
        done = end_of(run)
        assert done.code == 130
        assert not processes_in(tournament.folder)
    assert done.err.splitlines()[-1] == "To continue:  arena tournament tour.yaml"


@pytest.mark.parametrize(
    ("ignored", "obeyed"),
    [
        (signal.SIGHUP, signal.SIGTERM),  # as under nohup
        (signal.SIGINT, signal.SIGTERM),  # as behind & in a script
        (signal.SIGTERM, signal.SIGINT),
    ],
)
def test_a_signal_is_ignored_where_it_was_ignored_before(
    tournament: Tournament, ignored: signal.Signals, obeyed: signal.Signals
) -> None:
    before = signal.signal(ignored, signal.SIG_IGN)
    try:
        with running("tournament", "tour.yaml", folder=tournament.folder) as run:
            assert wait_until(lambda: len(bots_in(tournament)) == 4)
            status = Path(f"/proc/{run.pid}/status").read_text()
            mask = int(status.partition("SigIgn:")[2].split()[0], 16)
            assert mask >> (ignored - 1) & 1
            run.send_signal(ignored)
            code, _ = interrupted(run, obeyed)
            assert code == 128 + obeyed
    finally:
        signal.signal(ignored, before)


def interrupting(function: Callable[..., Any], times: int) -> Callable[..., Any]:
    """Let Ctrl-C be pressed so often just before something is done."""

    def interrupted(*arguments: Any) -> Any:
        for _ in range(times):
            signal.raise_signal(signal.SIGINT)
        return function(*arguments)

    return interrupted


@pytest.mark.parametrize(("step", "settled"), [("enter", None), ("_standings", 2)])
def test_asked_a_third_time_the_command_ends_whatever_it_is_at(
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    step: str,
    settled: int | None,
) -> None:
    tournament = new_tournament(tmp_path, "a", "b", boards=1)
    monkeypatch.setattr(run_module, step, interrupting(getattr(run_module, step), 3))
    done = call(capfd, "tournament", tournament.config)
    assert (done.code, done.out) == (130, "")
    assert "saved" not in done.err
    if settled is not None:
        assert tournament.stored() == settled
        last = (tournament.results / "arena.log").read_text().splitlines()[-1]
        assert last.endswith("2 of 2 games settled; interrupted by SIGINT; exit code 130")


def test_a_stop_that_comes_when_all_is_settled_does_not_hide_the_table(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = new_tournament(tmp_path, "a", "b", boards=1)
    finished = call(capfd, "tournament", tournament.config)
    monkeypatch.setattr(run_module, "enter", interrupting(enter, 1))
    late = call(capfd, "tournament", tournament.config)
    assert (late.code, late.out) == (0, finished.out)
    assert "To continue" not in late.err


def test_one_interruption_of_a_run_and_of_who_reads_its_events_counts_once(
    tmp_path: Path,
) -> None:
    """Ctrl-C ends both, and the run finds that out when it tells that it is stopping."""
    tournament = Tournament(tmp_path)
    playing, gate = tmp_path / "playing", tmp_path / "gate"
    wait = (
        f"pathlib.Path({str(playing)!r}).touch()\n"
        f"        while not pathlib.Path({str(gate)!r}).exists():\n"
        "            time.sleep(0.01)\n"
        "        return self"
    )
    source = RANDOM_BOT.replace("return self", wait).replace(
        "from arena", "import pathlib\nimport time\n\nfrom arena", 1
    )
    bots = [tournament.add_bot(name, source) for name in ("a", "b")]
    slow = {"move": "60s", "game": None}
    once = {"workers": 1, "finish": "1h"}
    tournament.configure(*bots, limits=slow, run=once, isolation="none")  # they write to a file
    with running("tournament", "--json", "tour.yaml", folder=tmp_path) as run:
        assert wait_until(playing.exists)
        assert run.stdout is not None
        assert run.stderr is not None
        assert "run_started" in run.stdout.readline()
        run.stdout.close()
        run.stdout = None
        run.send_signal(signal.SIGINT)
        while not run.stderr.readline().startswith("stopping: "):
            assert run.poll() is None
        gate.touch()
        done = end_of(run)
    assert done.code == 130
    assert tournament.stored() > 0
    assert done.err.splitlines()[0] == f"saved, {tournament.stored()} of 6 games."
