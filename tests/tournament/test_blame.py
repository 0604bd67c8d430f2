"""A bot that takes the machine down with it: real workers die, and in the end it loses."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread

import pytest
from crew import Rehearsal

from arena.referee.record import Forfeit, GameId, Void
from arena.runtime.executor import LocalExecutor, cores
from arena.tournament.runner import RunResult

AB = ("a@1", "b@1")
HEALTHY = "from arena.sdk import run\n\nrun(lambda view, legal: legal[0])\n"
BUSY = """
import subprocess, sys, time
from arena.sdk import run

def choose(view, legal):
    for _ in range(20):
        subprocess.Popen([sys.executable, "-c", "while True: pass"], start_new_session=True)
    time.sleep(1000)

run(choose)
"""


@contextmanager
def a_machine_that_cannot_bear_it(executor: LocalExecutor) -> Iterator[list[int]]:
    """Kill each worker as soon as its page says that a bot keeps more than one core busy."""
    killed: list[int] = []
    is_over = Event()

    def look() -> None:
        while not is_over.wait(0.02):
            worker = executor._workers[0]._present
            with suppress(OSError, ValueError):  # its page is closed meanwhile
                if worker is None or worker._process.pid in killed or not worker._page.blamed():
                    continue
                killed.append(worker._process.pid)
                os.kill(worker._process.pid, signal.SIGKILL)

    thread = Thread(target=look)
    thread.start()
    try:
        yield killed
    finally:
        is_over.set()
        thread.join()


@pytest.mark.skipif(len(cores()) == 1, reason="nobody can keep more than one busy")
def test_a_bot_whose_workers_die_of_it_loses_by_a_fault(tmp_path: Path) -> None:
    rehearsal = Rehearsal(tmp_path)
    rehearsal.configure("a", "b", boards=1, limits={"move": "60s"}, faults={"withdraw_after": 1})
    (tmp_path / "a.py").write_text(HEALTHY)
    (tmp_path / "b.py").write_text(BUSY)
    lost, other = GameId(AB, 0, 0), GameId(AB, 0, 1)
    rehearsal.store.add(voids=[Void(lost, "worker_died")] * 2)
    executor = LocalExecutor(1)
    try:
        with a_machine_that_cannot_bear_it(executor) as killed:
            assert rehearsal.run(executor) == RunResult(2, 2, None)
    finally:
        executor.kill()
        executor.shutdown()
    (record,) = rehearsal.store.records(AB)
    detail = "kept more than one core busy in a game, played alone, that could not be finished"
    assert (record.id, record.end) == (lost, Forfeit(1, "flood", detail))
    assert [(one.version, one.game) for one in rehearsal.store.withdrawals()] == [("b@1", lost)]
    assert [void.id for void in rehearsal.store.voids()] == [lost, lost, lost, other]
    assert len(killed) == 3, "the last one made no void"
    rehearsal.store.close()
