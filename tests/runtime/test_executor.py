"""Local workers: what they are given, what comes back, and how they are told to end."""

from __future__ import annotations

import errno
import os
import signal
from concurrent.futures import CancelledError
from pathlib import Path
from unittest.mock import Mock

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jobs import PATIENT, bot, by_board, games, job, records
from processes import caretakers, marked, wait_until
from workers import are_playing, healthy, played, present, script, stuck, submit, worker_pid

from arena.errors import ArenaError, SurroundingsError
from arena.referee.record import Forfeit, GameId, GameRecord, GameResult, Target, Void
from arena.runtime import tree, worker_process
from arena.runtime.executor import (
    BotSpec,
    Job,
    JobResult,
    LocalExecutor,
    StartFault,
    WorkerLostError,
    decode_job,
    decode_result,
    encode,
    play_job,
)
from arena.runtime.worker import compile_for_bots

SLOW = (
    "import time\nimport raw\n"
    "raw.serve(raw.handshake(), lambda *_: time.sleep(0.01), always=True)\n"
)


# what travels


def test_jobs_and_results_travel_whole() -> None:
    full = Job(
        variant="two_handed",
        options={"deck_size": 24},
        bots=(
            BotSpec("a@1", ("./bot", "-x"), "/bots/a", PATIENT, {"worlds": [1, {}]}, {"K": "v"}),
        ),
        games=games(2),
        tables=None,
        budget_ms=5,
        stderr_folder="/logs",
    )
    assert decode_job(encode(full)) == full
    ended = GameId(("a@1", "b@1"), 0, 1)
    records = (
        GameRecord(
            *(ended, (1, 0), 0, Target(), (1, 0), (7, 0)),
            actions=("pass",),
            times_us=(7,),
            notes=((0, "\u2663"),),
        ).packed,
        GameResult(
            *(ended, (0, 2), 1, Forfeit(0, "crash", "exited 1", "got")),
            dealers=(1,),
            margins=(-2,),
        ),
    )
    result = JobResult(records, (Void(ended, "why"),), (StartFault("a@1", "d", "g"),), 12)
    assert decode_result(encode(result)) == result


@given(st.text(min_size=1, max_size=20), st.integers(1, 99))
def test_a_bots_name_is_its_version_without_the_number(name: str, number: int) -> None:
    assert BotSpec(f"{name}@{number}", (), "", PATIENT).name == name


# work


def test_jobs_are_played_one_after_the_other_by_the_same_worker(
    executor: LocalExecutor, mark: str
) -> None:
    futures = [submit(executor, healthy(mark)) for _ in range(3)]
    results = [played(future) for future in futures]
    assert [len(by_board(result)) for result in results] == [3, 3, 3]
    assert [one.actions for one in records(results[0])] == [
        one.actions for one in records(results[1])
    ]
    pid = worker_pid(executor)
    played(submit(executor, healthy(mark)))
    assert worker_pid(executor) == pid


def test_more_workers_than_cores_play_at_once(mark: str) -> None:
    with LocalExecutor((os.cpu_count() or 1) + 1) as many:
        futures = [submit(many, healthy(mark, 1)) for _ in range(6)]
        assert [len(played(future).records) for future in futures] == [1] * 6


def test_what_is_no_job_is_an_error_and_the_worker_goes_on(
    executor: LocalExecutor, mark: str, capfd: pytest.CaptureFixture[str]
) -> None:
    played(submit(executor, healthy(mark)))
    pid = worker_pid(executor)
    with pytest.raises(ArenaError, match="a job failed: "):
        played(executor.submit(play_job, b"no job"))
    assert len(played(submit(executor, healthy(mark))).records) == 3
    assert worker_pid(executor) == pid
    assert capfd.readouterr() == ("", "")


def test_if_no_worker_can_be_started_that_is_said_and_tried_again(
    executor: LocalExecutor, mark: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        shortage = OSError(errno.EAGAIN, os.strerror(errno.EAGAIN))
        patched.setattr("arena.runtime.worker_process.start_worker", Mock(side_effect=shortage))
        with pytest.raises(SurroundingsError, match="no worker can be started: Resource temp"):
            played(submit(executor, healthy(mark)))
    assert len(played(submit(executor, healthy(mark))).records) == 3


THINKS_IN_TURN = """
import os, time
import raw

def look(*_):
    time.sleep(0.004)
    raw.say(f"on {os.sched_getaffinity(0)}")

raw.serve(raw.handshake(), look, always=True)
"""
THINKS_ALL_THE_TIME = "import os\nif not os.fork():\n    while True: pass\n" + THINKS_IN_TURN
ONE_CORE = not hasattr(os, "sched_getaffinity") or len(os.sched_getaffinity(0)) == 1


@pytest.mark.skipif(ONE_CORE, reason="there is nothing to choose from")
@pytest.mark.parametrize(
    ("other", "tables"), [(THINKS_IN_TURN, 1), (THINKS_IN_TURN, 4), (THINKS_ALL_THE_TIME, 1)]
)
def test_worker_and_bots_share_a_core_once_it_is_seen_that_no_bot_computes_off_its_turn(
    executor: LocalExecutor, mark: str, tmp_path: Path, other: str, tables: int
) -> None:
    paths = script(tmp_path / "quiet", THINKS_IN_TURN), script(tmp_path / "other", other)
    bots = [bot("a@1", paths[0], mark=mark), bot("b@1", paths[1], mark=mark)]
    every = os.sched_getaffinity(0)
    played(submit(executor, job(bots, 40, tables=tables, logs=tmp_path)))
    for name in "ab":
        lines = (tmp_path / f"{name}.stderr.log").read_text().splitlines()
        first, *later = [line for line in lines if line.startswith("on ")]
        assert first == f"on {every}"
        # On a busy machine a bot may take long, and then it has all cores for a while again.
        assert (f"on { {min(every)} }" in later) == (other != THINKS_ALL_THE_TIME)
    assert wait_until(lambda: os.sched_getaffinity(worker_pid(executor)) == every)


def test_a_worker_runs_nothing_else(executor: LocalExecutor) -> None:
    with pytest.raises(ArenaError, match="runs play_job and nothing else"):
        executor.submit(lambda payload: payload, b"")


def test_jobs_not_begun_can_be_cancelled(executor: LocalExecutor, mark: str, silent: Path) -> None:
    running = submit(executor, stuck(mark, silent))
    waiting = submit(executor, healthy(mark))
    assert wait_until(lambda: are_playing(mark, 2))
    executor.shutdown(wait=False, cancel_futures=True)
    with pytest.raises(CancelledError):
        waiting.result(timeout=60)
    executor.kill()
    with pytest.raises(WorkerLostError):
        running.result(timeout=60)


# ends


@pytest.mark.usefixtures("private_folders")
def test_finishing_ends_the_running_games_and_begins_no_other(
    executor: LocalExecutor, mark: str, tmp_path: Path
) -> None:
    slow = script(tmp_path / "slow", SLOW)
    bots = [bot("a@1", slow, mark=mark), bot("b@1", slow, mark=mark)]
    future = submit(executor, job(bots, 2_000, tables=4))
    assert wait_until(lambda: are_playing(mark, 2))
    executor.finish()
    result = played(future)
    assert len(result.records) < 2_000
    assert sorted(by_board(result)) == list(range(len(result.records)))
    assert all(record.end == Target() for record in result.records)
    assert (result.voids, result.start_faults) == ((), ())
    assert len(played(submit(executor, healthy(mark))).records) == 3, "the next job is played"


def test_finishing_an_idle_worker_does_not_touch_its_next_job(
    executor: LocalExecutor, mark: str
) -> None:
    executor.finish()
    played(submit(executor, healthy(mark)))
    executor.finish()
    assert len(played(submit(executor, healthy(mark))).records) == 3


@pytest.mark.usefixtures("private_folders")
def test_killing_drops_the_running_games_and_leaves_nothing(
    executor: LocalExecutor, mark: str, silent: Path
) -> None:
    futures = [submit(executor, stuck(mark, silent)), submit(executor, healthy(mark))]
    assert wait_until(lambda: are_playing(mark, 2))
    executor.kill()
    for future in futures:
        with pytest.raises(WorkerLostError):
            future.result(timeout=60)
    assert marked(mark) == [], "all was gone when kill returned"


@pytest.mark.usefixtures("private_folders")
def test_killing_does_not_wait_for_a_worker_that_is_stuck(
    executor: LocalExecutor, mark: str, silent: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.runtime.worker_process._LEAVE_S", 0.2)
    future = submit(executor, stuck(mark, silent))
    assert wait_until(lambda: are_playing(mark, 2))
    os.kill(worker_pid(executor), signal.SIGSTOP)
    executor.kill()
    with pytest.raises(WorkerLostError):
        future.result(timeout=60)
    assert wait_until(lambda: not marked(mark))


@pytest.mark.timeout(60)
def test_a_worker_that_is_stuck_while_it_is_sent_a_job_holds_nobody_up(
    executor: LocalExecutor, mark: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.runtime.worker_process._LEAVE_S", 0.2)
    played(submit(executor, healthy(mark)))
    os.kill(worker_pid(executor), signal.SIGSTOP)
    large = msgspec.structs.replace(bot("a@1", mark=mark), params={"weights": "x" * 8_000_000})
    future = submit(executor, job([large, large], 1))
    assert wait_until(future.running)
    for _ in range(1_000):
        executor.finish()
    executor.kill()
    executor.shutdown()
    assert isinstance(future.exception(timeout=0), WorkerLostError)


def test_no_job_after_the_end() -> None:
    executor = LocalExecutor(1)
    executor.shutdown()
    with pytest.raises(RuntimeError, match="shut down"):
        executor.submit(play_job, b"")


def test_nobody_is_left_once_it_is_shut_down(private_folders: Path) -> None:
    for _ in range(3):  # each ends while its caretaker is still starting
        with LocalExecutor(workers=1):
            assert wait_until(lambda: bool(caretakers(private_folders)))
        assert not caretakers(private_folders)


def test_an_inspection_is_given_up_at_once(
    executor: LocalExecutor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here it would wait for ever, as its sandbox never begins."""
    never = tmp_path / "bwrap"
    never.write_text(f"#!/bin/sh\ntouch {tmp_path}/begun\nexec sleep 1000\n")
    never.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    wanted = Job("two_handed", {}, (), (), 1, 1_000, isolation="sandbox", inspects=True)
    future = submit(executor, wanted)
    assert wait_until((tmp_path / "begun").exists)
    worker = present(executor)._process
    began = list(tree.family(worker.pid))
    executor.kill()
    executor.shutdown()
    assert isinstance(future.exception(), WorkerLostError)
    assert worker.returncode == 0, "it had to be killed"
    assert [pid for pid in began if Path(f"/proc/{pid}").exists()] == []


LARGE_PAGES = {"PYTHONMALLOC": "malloc", "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"}


@pytest.mark.parametrize(
    ("offered", "expected"),
    [
        ("always [madvise] never\n", LARGE_PAGES),
        ("[always] madvise never\n", LARGE_PAGES),
        ("always madvise [never]\n", {}),
        (None, {}),
    ],
)
def test_workers_ask_for_large_pages_where_there_are_any(
    offered: str | None,
    expected: dict[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = tmp_path / "enabled"
    if offered is not None:
        path.write_text(offered)
    monkeypatch.setattr(worker_process, "_LARGE_PAGES", path)
    monkeypatch.delenv("GLIBC_TUNABLES", raising=False)
    assert worker_process.memory_in_large_pages() == expected


def test_what_else_is_asked_of_the_library_for_memory_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "enabled"
    path.write_text("always [madvise] never\n")
    monkeypatch.setattr(worker_process, "_LARGE_PAGES", path)
    monkeypatch.setenv("GLIBC_TUNABLES", "glibc.malloc.check=1")
    wanted = "glibc.malloc.check=1:glibc.malloc.hugetlb=1"
    assert worker_process.memory_in_large_pages()["GLIBC_TUNABLES"] == wanted


@pytest.mark.parametrize("keeps", [True, False])
def test_what_bots_load_is_compiled_for_them_if_python_keeps_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, keeps: bool
) -> None:
    monkeypatch.setattr("sys.dont_write_bytecode", not keeps)
    (tmp_path / "bot.py").write_text("x = 1\n")
    compile_for_bots(tmp_path)
    assert bool(list(tmp_path.rglob("*.pyc"))) == keeps
