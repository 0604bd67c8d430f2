"""Where games are played: the half of `play_job` that knows sockets, and a local worker's process.

A worker serves one job after the other. When its coordinator is gone, whatever the reason, it
kills its bots and goes.
"""

from __future__ import annotations

import compileall
import fcntl
import gc
import os
import resource
import select
import signal
import socket
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from multiprocessing.connection import Connection
from pathlib import Path

from msgspec.structs import replace

import arena
from arena import rules
from arena.errors import SurroundingsError
from arena.runtime.folders import private_folder, remove_leftovers
from arena.runtime.isolation import isolation
from arena.runtime.job import (
    REQUEST_BYTES,
    Ending,
    Job,
    JobFailure,
    JobResult,
    decode_job,
    decode_request,
    encode,
)
from arena.runtime.loop import Control, JobLoop, Placing
from arena.runtime.page import marks_on
from arena.runtime.tree import adopting
from arena.text import refusal

_MOST_FILES = 1 << 16


class CoordinatorControl:
    """The line on which the coordinator asks to end jobs, and whose end is the coordinator's."""

    def __init__(self, line: socket.socket) -> None:
        self._line = line
        self._job = 0

    def begin(self) -> None:
        """Take note that the next job begins."""
        self._job += 1

    def fileno(self) -> int:
        """Return the line's descriptor."""
        return self._line.fileno()

    def request(self) -> Ending | None:
        """Read which job shall end and how; raises `EOFError` if the coordinator is gone."""
        raw = self._line.recv(REQUEST_BYTES, socket.MSG_WAITALL)
        if len(raw) < REQUEST_BYTES:
            raise EOFError
        number, ending = decode_request(raw)
        return ending if number == self._job else None


def play(
    payload: bytes,
    *,
    control: Control | None = None,
    page: int | None = None,
    core: int | None = None,
    in_turn: dict[str, bool] | None = None,
) -> bytes:
    """Play an encoded job and return its encoded result, or why there is none.

    `in_turn` is what a worker remembers from job to job (`JobLoop`). Raises `EOFError` if
    `control` says that nobody waits for it any more.
    """
    try:
        job = decode_job(payload)
        return encode(run_job(job, control=control, page=page, core=core, in_turn=in_turn))
    except EOFError:
        raise
    except Exception as error:  # noqa: BLE001 - whoever gave out the job must hear of it
        surroundings = isinstance(error, SurroundingsError | OSError)
        text = str(error) if isinstance(error, SurroundingsError) else _named(error)
        return encode(JobFailure(text, surroundings, traceback.format_exc()))


def _named(error: Exception) -> str:
    what = f"{type(error).__name__}: {error}"
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        what = f"{where}{refusal(error)}"
    return f"a job failed: {what}"


def run_job(
    job: Job,
    *,
    control: Control | None = None,
    page: int | None = None,
    core: int | None = None,
    in_turn: dict[str, bool] | None = None,
) -> JobResult:
    """Play a job with fresh bot processes; none is left when this returns or raises.

    How far its games are is shown on the page with that descriptor. `in_turn`: see `JobLoop`.
    """
    if job.inspects:
        with _given_up_on(control):
            return _inspected(job.isolation)
    if job.builds:
        with _given_up_on(control):
            return _built(job)
    with (
        private_folder() as folder,
        ExitStack() as closing,
        adopting(),
        _placing(core) as place,
        marks_on(page, len(job.games), len(job.bots)) as marks,
    ):
        if "user" in isolation(job.isolation).protections:
            closing.callback(remove_leftovers, os.getpid())
        known = rules.load(job.variant, job.options)
        loop = JobLoop(
            job,
            known,
            folder,
            control=control,
            place=place,
            marks=marks,
            in_turn={} if in_turn is None else in_turn,
        )
        result = loop.run()
        return replace(result, blamed=marks.blamed())


@contextmanager
def _given_up_on(control: Control | None) -> Iterator[None]:
    """Raise `EOFError` wherever this thread is, as soon as the coordinator says something.

    What is done here does not listen, and whoever says something does not want it any more.
    """
    if control is None:
        yield
        return

    def give_up(_: int, __: object) -> None:
        signal.signal(signal.SIGIO, signal.SIG_IGN)  # else what is cleared up now is broken off
        raise EOFError

    before = signal.signal(signal.SIGIO, give_up)
    flags = fcntl.fcntl(control.fileno(), fcntl.F_GETFL)
    try:
        fcntl.fcntl(control.fileno(), fcntl.F_SETOWN, os.getpid())
        fcntl.fcntl(control.fileno(), fcntl.F_SETFL, flags | os.O_ASYNC)
        if select.select([control], [], [], 0)[0]:  # it was said before
            raise EOFError
        yield
    finally:
        signal.signal(signal.SIGIO, signal.SIG_IGN)
        fcntl.fcntl(control.fileno(), fcntl.F_SETFL, flags)
        signal.signal(signal.SIGIO, before)


def _inspected(level: str) -> JobResult:
    """Attack a level; raises `SurroundingsError` if no bot can be started at it."""
    from arena.runtime.inspection import quick_look, strongest  # noqa: PLC0415 - once in a run

    if level == "auto":
        name, found, why = strongest()
        return JobResult(findings=found, isolation=name, passed_over=why)
    return JobResult(findings=quick_look(level), isolation=level)


def _built(job: Job) -> JobResult:
    """Run a bot's build; raises `SurroundingsError` if it cannot be run at the level."""
    from arena.runtime.building import build  # noqa: PLC0415 - once in a bot's life

    fault = build(job.bots[0], job.isolation)
    return JobResult(start_faults=() if fault is None else (fault,))


@contextmanager
def _placing(core: int | None) -> Iterator[Placing]:
    """Yield what puts a worker and its bots on `core`; afterwards the worker is where it was."""
    if core is None or not hasattr(os, "sched_setaffinity"):
        yield lambda _pids, *, together: None  # noqa: ARG005 - the interface's
        return
    before = os.sched_getaffinity(0)
    is_usual = os.sched_getscheduler(0) == os.SCHED_OTHER

    def place(pids: Sequence[int], *, together: bool) -> None:
        for pid in (os.getpid(), *pids):
            for thread in _threads(pid):
                with suppress(OSError):  # one that has just ended, or a core taken away from us
                    os.sched_setaffinity(thread, {core} if together else before)
                    if is_usual:
                        _let_finish(thread, others=together)

    try:
        yield place
    finally:
        place((), together=False)


def _let_finish(thread: int, *, others: bool) -> None:
    """Let a thread that wakes up wait for whom it shares the core with, or not.

    Else each frame that comes interrupts whoever is about to write the next one.
    """
    if hasattr(os, "SCHED_BATCH"):
        policy = os.SCHED_BATCH if others else os.SCHED_OTHER
        os.sched_setscheduler(thread, policy, os.sched_param(0))


def _threads(pid: int) -> list[int]:
    """Return all threads of a process: a core is given to each, and sockets have their own."""
    try:
        return [int(name) for name in os.listdir(f"/proc/{pid}/task")]  # noqa: PTH208 - names do
    except OSError:
        return [pid]


def _open_as_many_files_as_may_be() -> None:
    """Take what the system allows, so that no bot can use it up by connecting."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = _MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, _MOST_FILES)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def compile_for_bots(sdk: Path) -> None:
    """Keep the compiled form of what bots load, if Python keeps any: they may not write it."""
    if not sys.dont_write_bytecode:
        compileall.compile_dir(sdk, quiet=2)  # where this may not be written it is as it was


def main() -> None:
    """Serve the coordinator: the descriptors given are for jobs, control and the page."""
    _open_as_many_files_as_may_be()
    connection = Connection(int(sys.argv[1]))
    control = CoordinatorControl(socket.socket(fileno=int(sys.argv[2])))
    page = int(sys.argv[3])
    core = int(sys.argv[4]) if sys.argv[4:] else None
    compile_for_bots(Path(arena.__file__).parent / "sdk")
    # Whoever started the arena may have ignored it, and then no bot's end could be seen.
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    # Values that never change make no cycles, so in a job the collector only costs time.
    gc.disable()
    in_turn: dict[str, bool] = {}
    try:
        while True:
            gc.collect()
            payload = connection.recv_bytes()
            control.begin()
            done = play(payload, control=control, page=page, core=core, in_turn=in_turn)
            connection.send_bytes(done)
    except (EOFError, ConnectionError):
        return


if __name__ == "__main__":
    main()
