"""The seam between the coordinator and where games are played.

Anything that is a `concurrent.futures.Executor` can run `play_job`. Whoever gives out jobs finds
all that it needs here, and no zmq: the coordinator never opens a socket.
"""

from __future__ import annotations

import os
import queue
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from multiprocessing.connection import Connection
from pathlib import Path

import arena
from arena.errors import ArenaError
from arena.referee.clock import Limits
from arena.runtime.folders import clear_up_after
from arena.runtime.job import (
    FINISH,
    BotSpec,
    Job,
    JobGame,
    JobResult,
    StartFault,
    decode_job,
    decode_result,
    encode,
)

__all__ = [
    "BotSpec",
    "Job",
    "JobGame",
    "JobResult",
    "Limits",
    "LocalExecutor",
    "StartFault",
    "WorkerLostError",
    "decode_job",
    "decode_result",
    "encode",
    "play_job",
]

_LEAVE_S = 5.0
"""How long a worker that was told to go may take to end its bots."""


def play_job(payload: bytes) -> bytes:
    """Play an encoded job and return its encoded result: the one function that travels."""
    from arena.runtime.worker import run_job  # noqa: PLC0415 - zmq loads only where games are played

    return encode(run_job(decode_job(payload)))


class WorkerLostError(ArenaError):
    """A worker died with its job; the job's games are played again."""


class LocalExecutor(Executor):
    """Worker processes on this machine that are replaced one by one when they die.

    It runs `play_job` and nothing else. One thread waits for each worker.
    """

    def __init__(self, workers: int) -> None:
        """Prepare so many workers; each starts with its first job."""
        self._work: queue.SimpleQueue[tuple[Future[bytes], bytes] | None] = queue.SimpleQueue()
        cores = _cores() if workers <= len(_cores()) else []
        self._workers = [_Worker(cores[i] if cores else None) for i in range(workers)]
        self._threads = [
            threading.Thread(target=self._serve, args=(worker,), daemon=True)
            for worker in self._workers
        ]
        self._is_shut = False
        for thread in self._threads:
            thread.start()

    def submit(  # type: ignore[override]
        self, function: Callable[[bytes], bytes], payload: bytes, /
    ) -> Future[bytes]:
        """Queue an encoded job for the next free worker."""
        if function is not play_job:
            raise ArenaError("a local worker runs play_job and nothing else")
        if self._is_shut:
            raise RuntimeError("no job can be given to an executor that was shut down")
        future: Future[bytes] = Future()
        self._work.put((future, payload))
        return future

    def _serve(self, worker: _Worker) -> None:
        while (item := self._work.get()) is not None:
            future, payload = item
            if not future.set_running_or_notify_cancel():
                continue
            try:
                future.set_result(worker.play(payload))
            except Exception as error:  # noqa: BLE001 - it belongs to whoever waits for the future
                future.set_exception(error)
        worker.stop()

    def finish(self) -> None:
        """Let every worker end its running games and begin no new one."""
        for worker in self._workers:
            worker.finish()

    def kill(self) -> None:
        """Let every worker drop its running games and go, its bots with it."""
        for worker in self._workers:
            worker.stop()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: FBT001, FBT002 - the interface's
        """End the workers once their jobs are done."""
        self._is_shut = True
        while cancel_futures and not self._work.empty():
            item = self._work.get()
            if item is not None:
                item[0].cancel()
        for _ in self._threads:
            self._work.put(None)
        if wait:
            for thread in self._threads:
                thread.join()


class _Worker:
    """One local worker: a process that is started when needed, and the connection to it."""

    def __init__(self, core: int | None) -> None:
        self._core = core
        self._process: subprocess.Popen[bytes] | None = None
        self._connection: Connection | None = None
        self._lock = threading.Lock()
        self._stopped = False

    def play(self, payload: bytes) -> bytes:
        connection = self._ensure()
        try:
            with self._lock:
                connection.send_bytes(payload)
            return connection.recv_bytes()
        except (EOFError, OSError) as error:
            self._drop()
            raise WorkerLostError("a worker died in the middle of a job") from error

    def _ensure(self) -> Connection:
        with self._lock:
            if self._stopped:
                raise WorkerLostError("the workers were stopped")
            if self._connection is None:
                self._process, self._connection = _start_worker(self._core)
            return self._connection

    def finish(self) -> None:
        with self._lock:
            if self._connection is not None:
                try:
                    self._connection.send_bytes(FINISH)
                except OSError:
                    return  # it has died; whoever waits for its result will hear of it

    def stop(self) -> None:
        """Close the connection for good: the worker kills its bots and goes."""
        with self._lock:
            self._stopped = True
        self._drop()

    def _drop(self) -> None:
        with self._lock:
            connection, process = self._connection, self._process
            self._connection = self._process = None
        if connection is not None and process is not None:
            _shut(connection)
            _see_off(process)


def _see_off(process: subprocess.Popen[bytes]) -> None:
    """Wait until a worker has gone, but not for one that is stuck; nothing of it is left."""
    try:
        process.wait(_LEAVE_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    clear_up_after(process.pid)


def _shut(connection: Connection) -> None:
    """Close a connection so that a thread blocked in reading it wakes up too."""
    with socket.socket(fileno=os.dup(connection.fileno())) as end:
        end.shutdown(socket.SHUT_RDWR)
    connection.close()


def _start_worker(core: int | None) -> tuple[subprocess.Popen[bytes], Connection]:
    ours, theirs = socket.socketpair()
    words = [str(theirs.fileno()), *([] if core is None else [str(core)])]
    with theirs:
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "arena.runtime.worker", *words],
            env={**os.environ, "PYTHONPATH": _own_path()},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            pass_fds=[theirs.fileno()],
            start_new_session=True,
        )
    return process, Connection(ours.detach())


def _own_path() -> str:
    """Return where this very arena is imported from, whether it is installed or not."""
    here = str(Path(arena.__file__).parents[1])
    return os.pathsep.join(filter(None, (here, os.environ.get("PYTHONPATH"))))


def _cores() -> list[int]:
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))
