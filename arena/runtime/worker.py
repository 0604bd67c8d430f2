"""Where games are played: the half of `play_job` that knows sockets, and a local worker's process.

A worker serves one job after the other. It hears its coordinator through one connection; when
that closes, whatever the reason, it kills its bots and goes.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from pathlib import Path

from arena import rules
from arena.runtime.executor import FINISH, Job, JobResult, decode_job, encode
from arena.runtime.loop import Control, JobLoop

_LONGEST_FOLDER = 60
"""An ipc endpoint's path must stay under 108 bytes."""


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
    folder = _private_folder()
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


def _private_folder() -> Path:
    """Make a folder that only this user can enter, with a path short enough for a socket."""
    wanted = os.environ.get("XDG_RUNTIME_DIR") or tempfile.gettempdir()
    usable = len(wanted) <= _LONGEST_FOLDER and os.access(wanted, os.W_OK)
    return Path(tempfile.mkdtemp(prefix="arena-", dir=wanted if usable else "/tmp"))  # noqa: S108


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
    try:
        while True:
            message = connection.recv_bytes()
            if message == FINISH:
                continue  # it came after the job it was meant for
            result = run_job(decode_job(message), control=control, core=core)
            connection.send_bytes(encode(result))
    except (EOFError, ConnectionError):
        return


if __name__ == "__main__":
    main()
