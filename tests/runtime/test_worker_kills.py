"""Workers and coordinators killed at any moment: what is lost is known, and nothing is left."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest
from jobs import HOSTILE, bot, job
from processes import MARK, marked, wait_until
from workers import (
    STUCK_LATER,
    are_playing,
    healthy,
    played,
    present,
    script,
    stuck,
    submit,
    words,
    worker_pid,
)

from arena.runtime.executor import LocalExecutor, WorkerLostError, cores, encode, play_job
from arena.runtime.isolation import confined
from arena.runtime.page import RUNNING, marks_on

pytestmark = pytest.mark.usefixtures("private_folders")

ONE_CORE = len(cores()) == 1
GAMES = 4_096
"""More than are played in the time that passes here."""


def test_a_worker_that_is_killed_loses_its_job_and_the_next_one_gets_a_new_worker(
    executor: LocalExecutor, mark: str, silent: Path
) -> None:
    lost = submit(executor, stuck(mark, silent))
    next_one = submit(executor, healthy(mark))
    assert wait_until(lambda: are_playing(mark, 2))
    pid = worker_pid(executor)
    os.kill(pid, signal.SIGKILL)
    with pytest.raises(WorkerLostError):
        lost.result(timeout=60)
    assert len(played(next_one).records) == 3
    assert worker_pid(executor) != pid
    assert wait_until(lambda: not marked(mark)), "the bots died with their worker"


def test_it_is_known_which_games_were_running_when_a_worker_died(
    executor: LocalExecutor, mark: str, tmp_path: Path
) -> None:
    path = script(tmp_path / "gives_up", STUCK_LATER)
    bots = [bot("a@1", path, mark=mark), bot("b@1", mark=mark)]
    played(submit(executor, healthy(mark, 20)))
    future = submit(executor, job(bots, 9, tables=4))
    assert wait_until((path.parent / "stuck").exists)
    os.kill(worker_pid(executor), signal.SIGKILL)
    assert running(future) == (3, 4, 5, 6)
    assert len(played(submit(executor, healthy(mark))).records) == 3


BUSY = """
import subprocess, sys, time, raw

def many(answers, bad):
    for _ in range(20):
        subprocess.Popen([sys.executable, "-c", "while True: pass"], start_new_session=True)
    time.sleep(1000)

raw.play(many)
"""


@pytest.mark.skipif(ONE_CORE, reason="nobody can keep more than one busy")
@pytest.mark.parametrize("seat", [0, 1])
def test_it_is_known_who_kept_more_than_one_core_busy_when_a_worker_died(
    executor: LocalExecutor, mark: str, tmp_path: Path, seat: int
) -> None:
    bots = [bot("a@1", mark=mark), bot("b@1", mark=mark)]
    bots[seat] = bot(bots[seat].version, script(tmp_path / "busy", BUSY), mark=mark)
    future = submit(executor, job(bots, 3))
    assert wait_until(lambda: executor._workers[0]._present is not None)
    assert wait_until(lambda: present(executor)._page.blamed() != ())
    os.kill(worker_pid(executor), signal.SIGKILL)
    lost = loss(future)
    assert (len(lost.running), lost.blamed) == (1, ((seat, "flood"),))
    assert wait_until(lambda: not marked(mark))


def test_nobody_is_blamed_who_only_waits(executor: LocalExecutor, mark: str, silent: Path) -> None:
    future = submit(executor, stuck(mark, silent))
    assert wait_until(lambda: are_playing(mark, 2))
    os.kill(worker_pid(executor), signal.SIGKILL)
    assert loss(future).blamed == ()


def test_no_game_is_running_while_bots_are_started(executor: LocalExecutor, mark: str) -> None:
    played(submit(executor, job([bot("a@1", mark=mark), bot("b@1", mark=mark)], 9, tables=4)))
    slow = bot("b@1", HOSTILE / "never_says_hello.py", mark=mark)
    future = submit(executor, job([bot("a@1", mark=mark), slow], 9, tables=4))
    assert wait_until(lambda: are_playing(mark, 2))
    os.kill(worker_pid(executor), signal.SIGKILL)
    assert running(future) == ()


def test_games_that_the_coordinator_drops_itself_were_not_lost_by_a_worker(
    executor: LocalExecutor, mark: str, tmp_path: Path
) -> None:
    path = script(tmp_path / "gives_up", STUCK_LATER)
    bots = [bot("a@1", path, mark=mark), bot("b@1", mark=mark)]
    future = submit(executor, job(bots, 9, tables=4))
    assert wait_until((path.parent / "stuck").exists)
    executor.kill()
    assert running(future) == ()


def running(future: Future[bytes]) -> tuple[int, ...]:
    """Return which games of a job were running when its worker died."""
    return loss(future).running


def loss(future: Future[bytes]) -> WorkerLostError:
    with pytest.raises(WorkerLostError) as caught:
        future.result(timeout=60)
    return caught.value


def test_a_worker_that_died_between_jobs_is_replaced_at_the_cost_of_one_try(
    executor: LocalExecutor, mark: str
) -> None:
    played(submit(executor, healthy(mark)))
    with marks_on(present(executor)._page.fileno(), 2, 2) as marks:
        marks[1] = RUNNING  # as a job leaves it that failed
        marks.blame(1, "memory")
    os.kill(worker_pid(executor), signal.SIGKILL)
    lost = loss(submit(executor, healthy(mark)))
    assert (lost.running, lost.blamed) == ((), ())
    assert len(played(submit(executor, healthy(mark))).records) == 3


@pytest.mark.skipif(sys.platform != "linux", reason="only there the kernel kills orphans")
def test_bots_die_with_their_worker_where_setpriv_is_missing_too(
    executor: LocalExecutor, mark: str, silent: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(silent.parent))
    assert confined.tool("setpriv") is None
    future = submit(executor, stuck(mark, silent))
    assert wait_until(lambda: sum(silent.name in words(pid) for pid in marked(mark)) == 2)
    assert wait_until(lambda: not any("launch.py" in words(pid) for pid in marked(mark)))
    os.kill(worker_pid(executor), signal.SIGKILL)
    assert isinstance(future.exception(timeout=60), WorkerLostError)
    assert wait_until(lambda: not marked(mark))


def test_nothing_outlives_a_coordinator_that_is_killed(mark: str, silent: Path) -> None:
    here = Path(__file__).parent
    coordinator = subprocess.Popen(
        [sys.executable, str(here / "coordinator.py"), mark, str(silent)],
        cwd=here,
        env={**os.environ, MARK: mark},
    )
    bots, workers = 4, 2
    assert wait_until(lambda: are_playing(mark, 1 + workers + bots))
    coordinator.kill()
    coordinator.wait()
    assert wait_until(lambda: not marked(mark))


# at other moments


def test_a_worker_that_is_killed_while_it_starts(executor: LocalExecutor, mark: str) -> None:
    for _ in range(3):
        future = submit(executor, healthy(mark))
        assert wait_until(lambda: executor._workers[0]._present is not None)
        os.kill(worker_pid(executor), signal.SIGKILL)
        assert running(future) == ()
    assert len(played(submit(executor, healthy(mark))).records) == 3


def test_a_worker_that_is_killed_once_its_result_is_sent(
    executor: LocalExecutor, mark: str
) -> None:
    for _ in range(3):
        future = executor.submit(play_job, encode(healthy(mark)))
        future.add_done_callback(lambda _: os.kill(worker_pid(executor), signal.SIGKILL))
        assert len(played(future).records) == 3
        assert running(submit(executor, healthy(mark))) == ()


def test_a_worker_that_is_killed_while_it_is_seen_off(
    executor: LocalExecutor, mark: str, silent: Path
) -> None:
    future = submit(executor, stuck(mark, silent))
    assert wait_until(lambda: are_playing(mark, 2))
    pid = worker_pid(executor)
    executor.kill()
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    assert running(future) == ()
    assert wait_until(lambda: not marked(mark))


def test_a_worker_that_is_killed_at_some_moment_or_other(
    executor: LocalExecutor, mark: str
) -> None:
    bots = [bot("a@1", mark=mark), bot("b@1", mark=mark)]
    for number in range(8):
        future = submit(executor, job(bots, GAMES, tables=8))
        assert wait_until(lambda: executor._workers[0]._present is not None)
        time.sleep(number / 20)
        os.kill(worker_pid(executor), signal.SIGKILL)
        lost = running(future)
        assert len(lost) <= 8
        assert set(lost) <= set(range(GAMES))
    assert len(played(submit(executor, healthy(mark))).records) == 3


def all_pids() -> list[int]:
    return [int(entry.name) for entry in Path("/proc").glob("[0-9]*")]


@pytest.mark.skipif(sys.platform != "linux", reason="only there they can be found")
def test_a_bot_that_was_only_about_to_be_tied_to_its_worker_goes_too(
    executor: LocalExecutor, mark: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its worker is killed before the launcher could ask for that.

    The bot's own variables are not there yet, so it is known by the folder of what is run.
    """
    folder = tmp_path / mark
    folder.mkdir()
    sleep, slow = folder / "sleep", folder / "setpriv"
    sleep.symlink_to(shutil.which("sleep") or "")
    slow.write_text(f"#!/bin/sh\n{sleep} 1000\n")
    slow.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    future = submit(executor, healthy(mark))
    assert wait_until(lambda: sum(str(sleep) in words(pid) for pid in all_pids()) == 2)
    os.kill(worker_pid(executor), signal.SIGKILL)
    assert running(future) == ()
    assert wait_until(lambda: not any(str(folder) in words(pid) for pid in all_pids()))


def test_a_worker_that_is_killed_while_it_is_sent_a_job(executor: LocalExecutor, mark: str) -> None:
    played(submit(executor, healthy(mark)))
    os.kill(worker_pid(executor), signal.SIGSTOP)
    large = msgspec.structs.replace(bot("a@1", mark=mark), params={"weights": "x" * 8_000_000})
    future = submit(executor, job([large, large], 1))
    assert wait_until(future.running)
    os.kill(worker_pid(executor), signal.SIGKILL)
    assert running(future) == ()
    assert len(played(submit(executor, healthy(mark))).records) == 3


KILLS_ITS_WORKER = """
import os, signal, raw

def misdeed(answers, bad):
    os.kill(os.getppid(), signal.SIGKILL)

raw.play(misdeed)
"""


@pytest.mark.parametrize(("tables", "lost"), [(1, (2,)), (4, (0, 1, 2, 3))])
def test_a_bot_that_kills_its_worker_costs_the_games_that_were_running_each_time(
    executor: LocalExecutor, mark: str, tmp_path: Path, tables: int, lost: tuple[int, ...]
) -> None:
    path = script(tmp_path / "kills", KILLS_ITS_WORKER)
    bad = job([bot("a@1", path, mark=mark), bot("b@1", mark=mark)], 4, tables=tables)
    futures = [submit(executor, bad) for _ in range(3)]
    last = submit(executor, healthy(mark))
    for future in futures:
        assert 2 in running(future)
        assert set(running(future)) <= set(lost)
    assert len(played(last).records) == 3


LEAVES_ITS_SESSION = """
import os, time, raw

for _ in range(3):
    if os.fork() == 0:
        os.setsid()
        if os.fork():
            os._exit(0)
        time.sleep(1000)
raw.handshake()
time.sleep(1000)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only there they can be found")
def test_what_a_bot_started_elsewhere_goes_when_its_worker_was_killed(
    executor: LocalExecutor, mark: str, tmp_path: Path
) -> None:
    path = script(tmp_path / "forks", LEAVES_ITS_SESSION)
    future = submit(executor, stuck(mark, path))
    assert wait_until(lambda: are_playing(mark, 8))
    os.kill(worker_pid(executor), signal.SIGKILL)
    running(future)
    assert wait_until(lambda: not marked(mark))
