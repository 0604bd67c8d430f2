"""`arena stop`: runs that really go on, and processes that must not be hit."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from commands import (
    RANDOM_BOT,
    Tournament,
    arena,
    bots_in,
    call,
    end_of,
    new_tournament,
    processes_in,
    running,
    wait_until,
)

from arena.store.lock import holder
from arena.store.store import LOCK_NAME
from arena.tools import stop as tool

SLOW_BOT = RANDOM_BOT.replace("return self", "time.sleep(0.5)\n        return self").replace(
    "from arena", "import time\n\nfrom arena", 1
)
QUICK_STOP = {"workers": 2, "finish": "0s"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "here"
    folder.mkdir()
    return folder


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """Where commands work that are not part of a run."""
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    return folder


@pytest.fixture
def endless(folder: Path) -> Tournament:
    """No game of it ends within a test."""
    tournament = Tournament(folder)
    bots = [tournament.add_bot(name, SLOW_BOT) for name in ("a", "b")]
    slow = {"move": "60s", "game": None}
    tournament.configure(*bots, options={}, limits=slow, run={"workers": 2, "finish": "1h"})
    return tournament


@pytest.fixture
def long(folder: Path) -> Tournament:
    """Games are played all the time, and more are left than any test waits for."""
    return new_tournament(folder, "a", "b", boards=100_000, run={"workers": 2})


def is_playing(tournament: Tournament) -> bool:
    return wait_until(lambda: len(bots_in(tournament)) == 4)


def held(tournament: Tournament) -> str | None:
    found = holder(tournament.results / LOCK_NAME)
    return None if found is None else found.doing


def test_a_run_ends_with_its_running_games_and_all_are_saved(long: Tournament) -> None:
    with running("tournament", "tour.yaml", folder=long.folder) as run:
        assert wait_until(long.stored)
        stopped = arena("-C", long.folder, "stop", "tour.yaml", folder=long.folder.parent)
        done = end_of(run)
        assert done.code == 143
        assert not processes_in(long.folder)
    assert (stopped.code, stopped.out) == (0, "")
    first, *_, saved, again = stopped.err.splitlines()
    assert first.startswith(f"waiting for pid {run.pid}, 40 s at most: ")
    assert first.endswith(" of 200000 games")
    assert saved == f"saved, {long.stored()} of 200000 games."
    assert again == f"To continue:  arena -C {long.folder} tournament tour.yaml"
    assert done.err.splitlines()[-2] == saved


def test_it_waits_until_running_games_have_ended(
    endless: Tournament, elsewhere: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with running("tournament", "tour.yaml", folder=endless.folder) as run:
        assert is_playing(endless)
        with running("stop", endless.config, folder=elsewhere) as stop:
            assert wait_until(lambda: held(endless) == "stopping")
            assert (run.poll(), stop.poll()) == (None, None)
            assert len(bots_in(endless)) == 4
            now = call(capfd, "stop", "--now", endless.config)
            assert now.code == 0
            assert end_of(stop).code == 0
        assert end_of(run).code == 143
    assert now.err.splitlines()[-2] == "saved, 0 of 6 games."
    assert endless.stored() == 0


def test_stopped_at_once_it_drops_its_running_games(
    endless: Tournament, capfd: pytest.CaptureFixture[str]
) -> None:
    with running("tournament", "tour.yaml", folder=endless.folder) as run:
        assert is_playing(endless)
        assert call(capfd, "stop", "--now", endless.config).code == 0
        assert end_of(run).code == 143
        assert not processes_in(endless.folder)


def test_a_request_that_is_repeated_does_not_become_a_request_to_end_at_once(
    endless: Tournament, elsewhere: Path
) -> None:
    with running("tournament", "tour.yaml", folder=endless.folder) as run:
        assert is_playing(endless)
        with running("stop", endless.config, folder=elsewhere) as first:
            assert wait_until(lambda: held(endless) == "stopping")
            (elsewhere / "too").mkdir()
            with running("stop", endless.config, folder=elsewhere / "too") as second:
                assert second.stderr is not None
                assert second.stderr.readline().startswith("waiting for ")
                assert not wait_until(lambda: run.poll() is not None, patience_s=1)
                second.send_signal(signal.SIGINT)
                assert end_of(second).code == 130
            assert first.poll() is None
            assert held(endless) == "stopping"
            assert arena("stop", "--now", endless.config, folder=elsewhere).code == 0
            assert end_of(first).code == 0
        assert end_of(run).code == 143


def test_a_stop_while_bots_are_being_started(
    endless: Tournament, capfd: pytest.CaptureFixture[str]
) -> None:
    for name in ("a", "b"):
        endless.add_bot(name, "import time\ntime.sleep(60)\n")
    endless.configure("a.py", "b.py", limits={"start": "60s"})
    with running("tournament", "tour.yaml", folder=endless.folder) as run:
        assert wait_until(lambda: bots_in(endless))
        assert call(capfd, "stop", endless.config).code == 0
        assert end_of(run).code == 143


def test_nothing_runs(long: Tournament, capfd: pytest.CaptureFixture[str]) -> None:
    """Neither before the first run nor after the last."""
    long.configure("a.py", "b.py", boards=1)
    for again in (False, True):
        done = call(capfd, "stop", long.config)
        assert (done.code, done.out, done.err) == (0, "", "tour is not running\n")
        assert (long.results.exists()) == again
        if not again:
            assert call(capfd, "tournament", long.config).code == 0
    assert call(capfd, "-q", "stop", long.config).err == ""


def test_a_dead_run_whose_number_is_another_process_now(
    long: Tournament, capfd: pytest.CaptureFixture[str]
) -> None:
    with running("tournament", "tour.yaml", folder=long.folder) as run:
        assert wait_until(long.stored)
        run.kill()
        run.wait()
    with subprocess.Popen(["sleep", "60"]) as innocent:
        lock = long.results / LOCK_NAME
        lock.write_text(lock.read_text().replace(str(run.pid), str(innocent.pid)))
        assert str(innocent.pid) in lock.read_text()
        for now in ((), ("--now",)):
            assert call(capfd, "stop", *now, long.config).err == "tour is not running\n"
        assert innocent.poll() is None
        innocent.kill()


# processes that hold the lock and are not to be signalled


HOLDING = """
import sys, time
from pathlib import Path
from arena.store.store import Store
with Store.open(Path(sys.argv[1]), sys.argv[2]):
    print(flush=True)
    time.sleep(60)
"""


@pytest.fixture
def begun(long: Tournament, capfd: pytest.CaptureFixture[str]) -> Tournament:
    long.configure("a.py", "b.py", boards=1, run=QUICK_STOP)
    assert call(capfd, "tournament", long.config).code == 0
    return long


@contextmanager
def holding(tournament: Tournament, doing: str) -> Iterator[subprocess.Popen[str]]:
    """A process that has the results open and is ended by any signal."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLDING, str(tournament.results), doing],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "\n"
            yield process
        finally:
            process.kill()


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tool, "_GRACE_S", 1.0)


def test_a_change_is_no_run(begun: Tournament, capfd: pytest.CaptureFixture[str]) -> None:
    with holding(begun, "change") as process:
        done = call(capfd, "stop", "--now", begun.config)
        assert done.code == 4
        assert f"another arena is changing these results (pid {process.pid})" in done.err
        assert process.poll() is None


def test_the_run_of_another_config(begun: Tournament, capfd: pytest.CaptureFixture[str]) -> None:
    other = begun.folder / "other.yaml"
    other.write_text(begun.config.read_text().replace("{", '{"name": "tour", ', 1))
    with holding(begun, "run") as process:
        done = call(capfd, "stop", "--now", other)
        assert done.code == 2
        assert f"the results of another config, {begun.config}" in done.err
        assert process.poll() is None


def test_a_run_on_another_machine(begun: Tournament, capfd: pytest.CaptureFixture[str]) -> None:
    with holding(begun, "run") as process:
        (begun.results / LOCK_NAME).write_text(f"{process.pid} elsewhere run\n")
        done = call(capfd, "stop", begun.config)
        assert done.code == 4
        said = f"error: tour is held by pid {process.pid} on elsewhere, which is out of reach"
        assert done.err.startswith(said)
        assert process.poll() is None


@pytest.mark.usefixtures("hurried")
def test_a_run_that_has_not_said_yet_which_tournament_it_is(
    begun: Tournament, capfd: pytest.CaptureFixture[str]
) -> None:
    (begun.results / "results.sqlite").unlink()
    with holding(begun, "run") as process:
        done = call(capfd, "stop", begun.config)
        assert done.code == 4
        assert process.poll() is None


def test_a_run_of_another_user(
    begun: Tournament, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: int) -> None:
        raise PermissionError(1, "Operation not permitted")

    with holding(begun, "run") as process:
        monkeypatch.setattr(signal, "pidfd_send_signal", refuse)
        done = call(capfd, "stop", begun.config)
        assert done.code == 4
        said = f"error: pid {process.pid} belongs to another user; run this command as that user"
        assert done.err.splitlines()[-1] == said
        assert process.poll() is None


def is_suspended(pid: int) -> bool:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "T"


@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize(
    ("now", "advice"),
    [((), "add --now to drop its running games"), (("--now",), "`kill -9 {}` ends it")],
)
def test_a_run_that_does_not_end(
    begun: Tournament, capfd: pytest.CaptureFixture[str], now: tuple[str, ...], advice: str
) -> None:
    """As one that is suspended."""
    with holding(begun, "run") as process:
        process.send_signal(signal.SIGSTOP)
        assert wait_until(lambda: is_suspended(process.pid))  # else SIGTERM would overtake it
        done = call(capfd, "stop", *now, begun.config)
        assert done.code == 4
        said = f"error: tour is still being run (pid {process.pid}), 1 s after it was asked; "
        assert done.err.splitlines()[-1].startswith(said + advice.format(process.pid))
        process.send_signal(signal.SIGCONT)
        assert process.wait() == -signal.SIGTERM


# by the skin of one's teeth


def test_a_process_that_got_the_number_meanwhile_gets_no_signal(
    begun: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run ends after it was looked for; its number goes to another before the signal."""
    with holding(begun, "run") as run, subprocess.Popen(["sleep", "60"]) as innocent:
        lock = begun.results / LOCK_NAME
        seen = holder(lock)
        assert seen is not None
        run.kill()
        run.wait()
        assert not tool._signal(lock, seen, innocent.pid)
        assert innocent.poll() is None
        innocent.kill()


def test_a_run_that_ends_at_the_moment_of_the_signal(begun: Tournament) -> None:
    with holding(begun, "run") as run:
        lock = begun.results / LOCK_NAME
        seen = holder(lock)
        assert seen is not None
        run.kill()
        run.wait()
        assert not tool._signal(lock, seen, run.pid)


@pytest.mark.parametrize("without", ["a kernel that can hold on to a process", "such a system"])
def test_where_no_process_can_be_held_on_to(
    begun: Tournament, monkeypatch: pytest.MonkeyPatch, without: str
) -> None:
    def refuse(_: int) -> int:
        raise OSError(38, "Function not implemented")

    if without == "such a system":
        monkeypatch.setattr(sys, "platform", "darwin")
    else:
        monkeypatch.setattr(os, "pidfd_open", refuse)
    with holding(begun, "run") as run:
        lock = begun.results / LOCK_NAME
        seen = holder(lock)
        assert seen is not None
        assert tool._signal(lock, seen, run.pid)
        assert run.wait() == -signal.SIGTERM
        assert not tool._signal(lock, seen, run.pid)
