"""Where games are played: the half of `play_job` that knows sockets, and a local worker's process.

A worker serves one job after the other. It hears its coordinator through one connection; when
that closes, whatever the reason, it kills its bots and goes.
"""

from __future__ import annotations

import gc
import os
import shutil
import sys
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection

from arena import rules
from arena.runtime.folders import make_private_folder
from arena.runtime.job import FINISH, Job, JobResult, decode_job, encode
from arena.runtime.loop import Control, JobLoop


class CoordinatorControl:
    """The connection to the coordinator, heard while a job is running."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def fileno(self) -> int:
        """Return the connection's descriptor."""
        return self._connection.fileno()

    def finish_requested(self) -> bool:
        """Read what was said; raises `EOFError` when the coordinator is gone."""
        return self._connection.recv_bytes() == FINISH


def run_job(job: Job, *, control: Control | None = None, core: int | None = None) -> JobResult:
    """Play a job with fresh bot processes; none is left when this returns or raises."""
    folder = make_private_folder()
    loop = JobLoop(
        job,
        rules.load(job.variant, job.options),
        folder,
        control=control,
        pin=_pin_to(core),
    )
    try:
        return loop.run()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _pin_to(core: int | None) -> Callable[[Sequence[int]], None]:
    def pin(pids: Sequence[int]) -> None:
        if core is None or not hasattr(os, "sched_setaffinity"):
            return
        for pid in (0, *pids):
            try:
                os.sched_setaffinity(pid, {core})
            except OSError:  # a process that has just ended, or a core taken away from us
                continue

    return pin


def main() -> None:
    """Serve the coordinator at the other end of the descriptor given as first argument."""
    connection = Connection(int(sys.argv[1]))
    core = int(sys.argv[2]) if sys.argv[2:] else None
    control = CoordinatorControl(connection)
    # Values that never change make no cycles, so in a job the collector only costs time.
    gc.disable()
    try:
        while True:
            gc.collect()
            message = connection.recv_bytes()
            if message == FINISH:
                continue  # it came after the job it was meant for
            result = run_job(decode_job(message), control=control, core=core)
            connection.send_bytes(encode(result))
    except (EOFError, ConnectionError):
        return


if __name__ == "__main__":
    main()
