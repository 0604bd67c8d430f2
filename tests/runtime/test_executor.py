"""Local workers: replaced one by one, finished, killed, and gone with their coordinator."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import CancelledError, Future
from pathlib import Path
from unittest.mock import Mock

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jobs import HOSTILE, PATIENT, bot, by_board, games, job
from processes import MARK, marked, wait_until

from arena.errors import ArenaError, SurroundingsError
from arena.referee.record import Forfeit, GameId, GameRecord, Target, Void
from arena.runtime.executor import (
    BotSpec,
    Job,
    JobResult,
    LocalExecutor,
    StartFault,
    WorkerLostError,
    _WorkerProcess,
    decode_job,
    decode_result,
    encode,
    play_job,
)
from arena.runtime.isolation import isolation
from arena.runtime.page import RUNNING, marks_on

SILENT = "import time\nimport raw\nraw.handshake()\ntime.sleep(1000)\n"
SLOW = (
    "import time\nimport raw\n"
    "raw.serve(raw.handshake(), lambda *_: time.sleep(0.01), always=True)\n"
)


STUCK_LATER = """
import json, pathlib, time, raw

socket, games = raw.handshake(), {}
while True:
    asked, answers = set(), []
    for message in json.loads(socket.recv()):
        if message["type"] == "game_start":
            games[message["table"]] = message["bot_seed"]
        elif message["type"] == "decide":
            asked.add(games[message["table"]])
            answers.append(raw.first_legal(message))
            if games[message["table"]] < 3:
                answers[-1]["type"] = "fail"
    if min(asked) >= 3:
        pathlib.Path("stuck").touch()
        time.sleep(1000)
    socket.send_json(answers)
"""
"""Gives games 0, 1 and 2 up; never answers once it is asked only about others."""


@pytest.fixture
def executor() -> Iterator[LocalExecutor]:
    executor = LocalExecutor(1)
    yield executor
    executor.kill()
    executor.shutdown()


@pytest.fixture
def silent(tmp_path: Path) -> Path:
    """A bot that starts and then never answers."""
    return script(tmp_path / "silent", SILENT)


def script(folder: Path, text: str) -> Path:
    """Write a bot that speaks the protocol by hand."""
    folder.mkdir()
    (folder / "raw.py").write_bytes((Path(__file__).parents[1] / "hostile/raw.py").read_bytes())
    (folder / "bot.py").write_text(text)
    return folder / "bot.py"


def submit(executor: LocalExecutor, wanted: Job) -> Future[bytes]:
    return executor.submit(play_job, encode(wanted))


def played(future: Future[bytes]) -> JobResult:
    return decode_result(future.result(timeout=60))


def healthy(mark: str, count: int = 3) -> Job:
    return job([bot("a@1", mark=mark), bot("b@1", mark=mark)], count)


def stuck(mark: str, silent: Path) -> Job:
    return job([bot("a@1", silent, mark=mark), bot("b@1", silent, mark=mark)], 1)


def are_playing(mark: str, bots: int) -> bool:
    """Tell whether so many bots are past the launcher: their interpreters run."""
    return sum(is_python(pid) for pid in marked(mark)) == bots


def is_python(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/comm").read_text().startswith("python")
    except OSError:
        return False


def words(pid: int) -> str:
    """Return the command line of a process."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return ""


def present(executor: LocalExecutor) -> _WorkerProcess:
    worker = executor._workers[0]._present
    assert worker is not None
    return worker


def worker_pid(executor: LocalExecutor) -> int:
    return present(executor)._process.pid


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
        GameRecord(ended, ("pass",), (1, 0), 0, Target(), (7,), ((0, "\u2663"),), (1, 0), (7, 0)),
        GameRecord(ended, (), (0, 0), 1, Forfeit(0, "crash", "exited 1", "got")),
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
    assert [one.actions for one in results[0].records] == [
        one.actions for one in results[1].records
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
        patched.setattr("arena.runtime.executor._start_worker", Mock(side_effect=shortage))
        with pytest.raises(SurroundingsError, match="no worker can be started: Resource temp"):
            played(submit(executor, healthy(mark)))
    assert len(played(submit(executor, healthy(mark))).records) == 3


AFFINITY = (
    "import os\nimport raw\n"
    "raw.serve(raw.handshake(), lambda *_: raw.say(f'on {os.sched_getaffinity(0)}'), always=True)\n"
)
ONE_CORE = not hasattr(os, "sched_getaffinity") or len(os.sched_getaffinity(0)) == 1


@pytest.mark.skipif(ONE_CORE, reason="there is nothing to choose from")
def test_worker_and_bots_share_a_core_only_while_many_tables_are_played(
    executor: LocalExecutor, mark: str, tmp_path: Path
) -> None:
    path = script(tmp_path / "looks", AFFINITY)
    bots = [bot("a@1", path, mark=mark), bot("b@1", path, mark=mark)]
    every = os.sched_getaffinity(0)
    for number, (tables, cores) in enumerate([(1, every), (16, {min(every)}), (1, every)]):
        logs = tmp_path / str(number)
        played(submit(executor, job(bots, 4, tables=tables, logs=logs)))
        for name in "ab":
            lines = (logs / f"{name}.stderr.log").read_text().splitlines()
            assert {line for line in lines if line.startswith("on ")} == {f"on {cores}"}
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


@pytest.mark.usefixtures("private_folders")
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


@pytest.mark.usefixtures("private_folders")
def test_no_game_is_running_while_bots_are_started(executor: LocalExecutor, mark: str) -> None:
    played(submit(executor, job([bot("a@1", mark=mark), bot("b@1", mark=mark)], 9, tables=4)))
    slow = bot("b@1", HOSTILE / "never_says_hello.py", mark=mark)
    future = submit(executor, job([bot("a@1", mark=mark), slow], 9, tables=4))
    assert wait_until(lambda: are_playing(mark, 2))
    os.kill(worker_pid(executor), signal.SIGKILL)
    assert running(future) == ()


@pytest.mark.usefixtures("private_folders")
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
    with pytest.raises(WorkerLostError) as caught:
        future.result(timeout=60)
    return caught.value.running


def test_a_worker_that_died_between_jobs_is_replaced_at_the_cost_of_one_try(
    executor: LocalExecutor, mark: str
) -> None:
    played(submit(executor, healthy(mark)))
    with marks_on(present(executor)._page.fileno(), 2) as marks:
        marks[1] = RUNNING  # as a job leaves it that failed
    os.kill(worker_pid(executor), signal.SIGKILL)
    assert running(submit(executor, healthy(mark))) == ()
    assert len(played(submit(executor, healthy(mark))).records) == 3


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
    monkeypatch.setattr("arena.runtime.executor._LEAVE_S", 0.2)
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
    monkeypatch.setattr("arena.runtime.executor._LEAVE_S", 0.2)
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


@pytest.mark.skipif(sys.platform != "linux", reason="only there the kernel kills orphans")
@pytest.mark.usefixtures("private_folders")
def test_bots_die_with_their_worker_where_setpriv_is_missing_too(
    executor: LocalExecutor, mark: str, silent: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(silent.parent))
    assert isolation("none").chain[-1].endswith("launch.py")
    future = submit(executor, stuck(mark, silent))
    assert wait_until(lambda: sum(silent.name in words(pid) for pid in marked(mark)) == 2)
    assert wait_until(lambda: not any("launch.py" in words(pid) for pid in marked(mark)))
    os.kill(worker_pid(executor), signal.SIGKILL)
    assert isinstance(future.exception(timeout=60), WorkerLostError)
    assert wait_until(lambda: not marked(mark))


@pytest.mark.usefixtures("private_folders")
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


def test_no_job_after_the_end() -> None:
    executor = LocalExecutor(1)
    executor.shutdown()
    with pytest.raises(RuntimeError, match="shut down"):
        executor.submit(play_job, b"")
