"""A job where it is played: what the machine withholds, and what is left as it was."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
import zmq
from jobs import HOSTILE, bot, by_board, forfeits, job
from processes import MARK, marked

from arena.errors import ArenaError, SurroundingsError
from arena.runtime.executor import Job, decode_result, encode, play_job
from arena.runtime.worker import run_job

pytestmark = pytest.mark.usefixtures("private_folders")
CRASH = "killed by SIGSEGV at decision 2"


def healthy(mark: str, **more: Any) -> Job:
    return job([bot("a@1", mark=mark), bot("b@1", mark=mark)], 4, **more)


def crashing(mark: str) -> Job:
    """A job whose first bot crashes in game 2."""
    return job([bot("a@1", HOSTILE / "killed_by_a_signal.py", mark=mark), bot("b@1", mark=mark)], 4)


def failing(original: Callable[..., Any], calls: int, error: Exception) -> Callable[..., Any]:
    """Return a function that does the same a number of times, then fails."""
    left = iter(range(calls))

    def call(*args: Any, **keys: Any) -> Any:
        if next(left, None) is None:
            raise error
        return original(*args, **keys)

    return call


def os_error(number: int) -> OSError:
    return OSError(number, os.strerror(number))


# what the machine withholds


@pytest.mark.parametrize("shortage", [errno.EAGAIN, errno.EMFILE, errno.ENOMEM])
@pytest.mark.parametrize("started", [0, 1, 2])
def test_a_shortage_of_processes_is_nobodys_fault_and_leaves_nothing(
    started: int, shortage: int, mark: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also in mid-game: the third process is to take over from one that crashed."""
    popen = failing(subprocess.Popen, started, os_error(shortage))
    monkeypatch.setattr("arena.runtime.process.subprocess.Popen", popen)
    with pytest.raises(SurroundingsError, match="no bot process can be started: ") as caught:
        decode_result(play_job(encode(crashing(mark))))
    assert os.strerror(shortage) in str(caught.value)
    assert not marked(mark)


@pytest.mark.parametrize("bound", [0, 1, 2])
def test_a_shortage_of_sockets_is_nobodys_fault_and_leaves_nothing(
    bound: int, mark: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    error = zmq.ZMQError(errno.EMFILE)
    monkeypatch.setattr("zmq.Context.socket", failing(zmq.Context.socket, bound, error))
    with pytest.raises(SurroundingsError, match="no socket for a bot: Too many open files"):
        decode_result(play_job(encode(crashing(mark))))
    assert not marked(mark)


def test_a_full_disk_is_a_matter_of_the_surroundings(
    mark: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = failing(Path.mkdir, 0, os_error(errno.ENOSPC))
    monkeypatch.setattr("arena.runtime.peer.Path.mkdir", full)
    with pytest.raises(SurroundingsError, match="No space left on device"):
        decode_result(play_job(encode(healthy(mark))))


@pytest.mark.parametrize("tables", [1, 4])
def test_without_descriptors_for_their_ends_bots_play_on_and_crashes_are_seen(
    tables: int, mark: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.pidfd_open", failing(os.pidfd_open, 0, os_error(errno.EMFILE)))
    wanted = msgspec.structs.replace(crashing(mark), tables=tables)
    result = run_job(wanted)
    assert by_board(result).keys() == set(range(4))
    assert {board: end.detail for board, end in forfeits(result).items()} == {2: CRASH}


def test_no_game_hangs_on_a_log(mark: str, tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    logs.write_text("no folder")
    result = run_job(msgspec.structs.replace(crashing(mark), stderr_folder=str(logs)))
    assert by_board(result).keys() == set(range(4))
    assert result.lost_output == f"{logs}/a.stderr.log: File exists"
    assert not marked(mark)


def test_output_that_was_kept_is_not_lost(mark: str, tmp_path: Path) -> None:
    result = run_job(msgspec.structs.replace(crashing(mark), stderr_folder=str(tmp_path)))
    assert result.lost_output == ""
    assert (tmp_path / "a.stderr.log").exists()


# what goes wrong in the arena itself


def test_a_mistake_of_the_arenas_arrives_with_its_trace_and_prints_nothing(
    mark: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    mistake = failing(len, 0, RuntimeError("surprise"))
    monkeypatch.setattr("arena.runtime.tables.Tables._finish", mistake)
    with pytest.raises(ArenaError, match="a job failed: RuntimeError: surprise") as caught:
        decode_result(play_job(encode(healthy(mark))))
    assert type(caught.value) is ArenaError
    (note,) = caught.value.__notes__
    assert note.startswith("Traceback (most recent call last):")
    assert "in _tell" in note
    assert capfd.readouterr() == ("", "")
    assert not marked(mark)


# what is left as it was

IGNORES = """
import signal, sys
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
from test_worker import crashing
from jobs import forfeits
from arena.runtime.executor import LocalExecutor, decode_result, encode, play_job
if __name__ == "__main__":
    with LocalExecutor(1) as executor:
        result = decode_result(executor.submit(play_job, encode(crashing(sys.argv[1]))).result())
    print(len(result.records), [(b, end.detail) for b, end in forfeits(result).items()])
"""


def test_the_ends_of_bots_are_seen_though_whoever_started_the_arena_ignores_them(mark: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", IGNORES, mark],
        cwd=Path(__file__).parent,
        env={**os.environ, MARK: mark},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stdout == f"4 [(2, '{CRASH}')]\n"
    assert done.stderr == ""
