"""The arena itself stopped while bots play: real workers and bots, stopped and continued."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterable
from pathlib import Path

import msgspec
import pytest
from jobs import PATIENT, bot, by_board, forfeits, job
from processes import marked, wait_until
from workers import played, script, submit, worker_pid

from arena.runtime.executor import Job, LocalExecutor

pytestmark = pytest.mark.usefixtures("private_folders")

MOVE_MS = 1_000
LIMITS = msgspec.structs.replace(PATIENT, move_ms=MOVE_MS)
LONGER_S = MOVE_MS / 1e3 + 0.3
"""Than the limit and its grace."""

WAITS = """
import pathlib, time, raw

def misdeed(answers, bad):
    pathlib.Path("asked").touch()
    while not pathlib.Path("go").exists():
        time.sleep(0.01)

raw.play(misdeed, once=True)
"""
"""Waits once for a file before it answers as it should."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where the bot that waits runs."""
    return script(tmp_path / "waits", WAITS).parent


def waiting(folder: Path, mark: str, tables: int = 1) -> Job:
    """A job of five games; in game 2 the first bot waits."""
    memory = {"HOSTILE_MEMORY": str(folder / "memory")}
    waits = bot("a@1", folder / "bot.py", mark=mark, limits=LIMITS, env=memory)
    return job([waits, bot("b@1", mark=mark)], 5, tables=tables, logs=folder / "logs")


def starts(folder: Path) -> int:
    return (folder / "logs/a.stderr.log").read_text().count("a process begins")


def stop(pids: Iterable[int]) -> None:
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
        assert wait_until(lambda: is_stopped(pid))  # noqa: B023 - used at once


def is_stopped(pid: int) -> bool:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "T"


def go_on(pids: Iterable[int]) -> None:
    for pid in pids:
        os.kill(pid, signal.SIGCONT)


@pytest.mark.parametrize("tables", [1, 4])
def test_if_the_worker_is_stopped_the_game_is_void_though_the_bot_answers_at_once(
    executor: LocalExecutor, mark: str, folder: Path, tables: int
) -> None:
    future = submit(executor, waiting(folder, mark, tables))
    assert wait_until((folder / "asked").exists)
    stop([worker_pid(executor)])
    (folder / "go").touch()
    time.sleep(LONGER_S)
    go_on([worker_pid(executor)])
    result = played(future)
    void = {void.id.board for void in result.voids}
    assert {one.cause for one in result.voids} == {"arena_stall"}
    assert 2 in void
    assert len(void) <= tables
    assert by_board(result).keys() == set(range(5)) - void
    assert forfeits(result) == {}
    assert starts(folder) == 1, "its process lives on"


@pytest.mark.parametrize("worker_first", [True, False])
def test_if_worker_and_bots_are_stopped_the_game_is_void(
    executor: LocalExecutor, mark: str, folder: Path, worker_first: bool
) -> None:
    future = submit(executor, waiting(folder, mark))
    assert wait_until((folder / "asked").exists)
    everybody = [worker_pid(executor), *marked(mark)]
    stop(everybody)
    (folder / "go").touch()
    time.sleep(LONGER_S)
    go_on(everybody if worker_first else reversed(everybody))
    result = played(future)
    assert [(void.id.board, void.cause) for void in result.voids] == [(2, "arena_stall")]
    assert by_board(result).keys() == {0, 1, 3, 4}
    assert forfeits(result) == {}


def test_a_bot_that_never_answers_after_a_stall_is_replaced_at_no_cost(
    executor: LocalExecutor, mark: str, folder: Path
) -> None:
    future = submit(executor, waiting(folder, mark))
    assert wait_until((folder / "asked").exists)
    stop([worker_pid(executor)])
    time.sleep(LONGER_S)
    go_on([worker_pid(executor)])
    result = played(future)
    assert [(void.id.board, void.cause) for void in result.voids] == [(2, "arena_stall")]
    assert by_board(result).keys() == {0, 1, 3, 4}
    assert forfeits(result) == {}
    assert starts(folder) == 2


@pytest.mark.parametrize("tables", [1, 4])
def test_if_the_bot_alone_is_stopped_it_is_late(
    executor: LocalExecutor, mark: str, folder: Path, tables: int
) -> None:
    """Of a frame of several decisions nobody is late, as it is in time when it is asked again."""
    future = submit(executor, waiting(folder, mark, tables))
    assert wait_until((folder / "asked").exists)
    stop(pid for pid in marked(mark) if runs_in(pid, folder))
    (folder / "go").touch()
    result = played(future)
    assert result.voids == ()
    assert by_board(result).keys() == set(range(5))
    assert starts(folder) == 2
    late = {board: end.fault for board, end in forfeits(result).items()}
    assert late == {2: "timeout"} or (tables > 1 and late == {})


def runs_in(pid: int, folder: Path) -> bool:
    return Path(f"/proc/{pid}/cwd").resolve() == folder


LOADS = """
import pathlib, time, raw

pathlib.Path("loads").touch()
while not pathlib.Path("go").exists():
    time.sleep(0.01)
raw.play(lambda *_: None)
"""


@pytest.mark.parametrize("who", ["worker", "everybody"])
def test_a_stop_while_bots_are_started_costs_nothing(
    executor: LocalExecutor, mark: str, tmp_path: Path, who: str
) -> None:
    path = script(tmp_path / "loads", LOADS)
    hasty = msgspec.structs.replace(PATIENT, start_ms=2_000)
    loads = bot("a@1", path, mark=mark, limits=hasty)
    future = submit(executor, job([loads, bot("b@1", mark=mark)], 3))
    assert wait_until((path.parent / "loads").exists)
    stopped = [worker_pid(executor)] + (marked(mark) if who == "everybody" else [])
    stop(stopped)
    time.sleep(hasty.start_ms / 1e3 + 0.3)
    go_on(stopped)
    (path.parent / "go").touch()
    result = played(future)
    assert by_board(result).keys() == {0, 1, 2}
    assert (forfeits(result), result.voids) == ({}, ())
