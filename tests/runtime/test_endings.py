"""A job that is to end before all its games are played: what comes back, and that it is heard."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from held import HeldBot, HeldControl, World
from hypothesis import given
from hypothesis import strategies as st
from jobs import PATIENT, bot, by_board, job
from msgspec.structs import replace
from processes import wait_until
from workers import (
    STUCK_LATER,
    are_playing,
    healthy,
    played,
    present,
    script,
    stuck,
    submit,
    worker_pid,
)

from arena.runtime.executor import JobResult, LocalExecutor, _Worker
from arena.runtime.job import REQUEST_BYTES, Ending, decode_request, encode_request
from arena.runtime.worker_process import WorkerProcess

MS = 1_000_000
GAMES = 40


@given(st.integers(1, 2**64 - 1), st.sampled_from(Ending))
def test_requests_travel_whole(number: int, ending: Ending) -> None:
    raw = encode_request(number, ending)
    assert len(raw) == REQUEST_BYTES
    assert decode_request(raw) == (number, ending)


# in a time that the test holds


def play_until(
    at_ms: float,
    ending: Ending | None,
    tables: int,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> tuple[JobResult, float]:
    """Return what came of a job that is to end after some time, and how long that took (ms)."""
    world = World(a=HeldBot(), b=HeldBot())
    control = HeldControl(world)
    world.after(at_ms, lambda: control.requests.append(ending))
    bots = [replace(bot(f"{name}@1", limits=PATIENT), argv=(name,)) for name in world.bots]
    result = world.play(job(bots, GAMES, tables=tables), folder, monkeypatch, control)
    return result, world.now_ns / MS - at_ms


@pytest.mark.parametrize("tables", [1, 4])
@pytest.mark.parametrize("at_ms", [0.5, 1.5, 10, 60])
def test_a_job_that_is_dropped_ends_at_once_with_what_is_finished(
    at_ms: float, tables: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It waits neither for an answer nor for a farewell, which take a millisecond here."""
    whole, _ = play_until(at_ms, None, tables, tmp_path / "whole", monkeypatch)
    dropped, took_ms = play_until(at_ms, Ending.DROP, tables, tmp_path / "dropped", monkeypatch)
    count = len(dropped.records)
    assert len(whole.records) == GAMES
    assert count < GAMES
    assert dropped.records == whole.records[:count]
    assert (count > 0) == (at_ms == 60)
    assert dropped.voids == ()
    assert took_ms < 1


def test_bots_that_are_only_started_are_dropped_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = World(a=HeldBot())
    control = HeldControl(world)
    world.after(0.5, lambda: control.requests.append(Ending.DROP))
    trial = job([replace(bot("a@1"), argv=("a",))], 0)
    assert world.play(trial, tmp_path, monkeypatch, control).start_faults == ()
    assert world.now_ns < MS


@pytest.mark.parametrize("tables", [1, 4])
def test_a_job_that_is_to_finish_plays_what_it_has_begun(
    tables: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    finished, took_ms = play_until(60, Ending.FINISH, tables, tmp_path / "finished", monkeypatch)
    dropped, _ = play_until(60, Ending.DROP, tables, tmp_path / "dropped", monkeypatch)
    assert len(finished.records) == len(dropped.records) + tables
    assert took_ms > 1


# real workers


@pytest.mark.usefixtures("private_folders")
def test_dropping_brings_the_finished_games_of_bots_that_hang(
    executor: LocalExecutor, mark: str, tmp_path: Path
) -> None:
    path = script(tmp_path / "gives_up", STUCK_LATER)
    bots = [bot("a@1", path, mark=mark), bot("b@1", mark=mark)]
    future = submit(executor, job(bots, 9, tables=4))
    assert wait_until((path.parent / "stuck").exists)
    executor.finish()
    executor.drop()
    result = played(future)
    assert by_board(result).keys() == {0, 1, 2}
    assert result.voids == ()
    assert len(played(submit(executor, healthy(mark))).records) == 3, "the next job is played"


@pytest.mark.parametrize("how", ["finish", "drop"])
def test_a_job_that_waits_for_a_worker_comes_back_unplayed(
    how: str, executor: LocalExecutor, mark: str, silent: Path
) -> None:
    running, waiting = submit(executor, stuck(mark, silent)), submit(executor, healthy(mark))
    assert wait_until(lambda: are_playing(mark, 2))
    getattr(executor, how)()
    executor.drop()
    assert [played(future) for future in (running, waiting)] == [
        JobResult(play_ms=played(running).play_ms),
        JobResult(),
    ]


@pytest.mark.parametrize("how", ["finish", "drop"])
@pytest.mark.parametrize("moment", [_Worker, WorkerProcess])
@pytest.mark.parametrize("is_present", [True, False])
def test_a_request_is_heard_by_every_job_that_was_submitted_before(
    is_present: bool,
    moment: type,
    how: str,
    executor: LocalExecutor,
    mark: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Also by one that a worker has just taken: before that knows it, or before it was sent."""
    if is_present:
        played(submit(executor, healthy(mark)))
    original = moment.play  # type: ignore[attr-defined]

    def ask_first(*words: object) -> bytes:
        getattr(executor, how)()
        return original(*words)  # type: ignore[no-any-return]

    with monkeypatch.context() as patched:
        patched.setattr(moment, "play", ask_first)
        assert played(submit(executor, healthy(mark))).records == ()
    assert len(played(submit(executor, healthy(mark))).records) == 3, "the next job is played"


def test_a_request_does_not_touch_a_job_that_was_submitted_after_it(
    executor: LocalExecutor, mark: str
) -> None:
    """Another worker may have taken it before this one is told."""
    future = submit(executor, healthy(mark))
    assert wait_until(lambda: executor._workers[0]._present is not None)
    executor._workers[0].end(0, Ending.DROP)
    assert len(played(future).records) == 3


def test_a_stuck_worker_hears_the_last_request_however_many_came_before(
    executor: LocalExecutor, mark: str, silent: Path
) -> None:
    """What it is told and does not read has little room."""
    future = submit(executor, stuck(mark, silent))
    assert wait_until(lambda: are_playing(mark, 2))
    assert wait_until(lambda: present(executor)._page.running() == (0,))
    os.kill(worker_pid(executor), signal.SIGSTOP)
    for _ in range(1_000):
        executor.finish()
    executor.drop()
    os.kill(worker_pid(executor), signal.SIGCONT)
    assert played(future).records == ()
