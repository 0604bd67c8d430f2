"""The seam between the coordinator and where games are played.

Anything that is a `concurrent.futures.Executor` can run `play_job`. Whoever gives out jobs finds
all that it needs here, and no zmq: the coordinator never opens a socket.
"""

from __future__ import annotations

import contextlib
import os
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future

from arena.errors import ArenaError, SurroundingsError
from arena.referee.clock import Limits
from arena.runtime.bounds import BeyondBoundsError, below, within_bounds
from arena.runtime.folders import working_folder
from arena.runtime.job import (
    ARENA_STALL,
    FAILED_STARTS,
    BotSpec,
    Ending,
    Finding,
    Job,
    JobGame,
    JobResult,
    StartFault,
    decode_job,
    decode_result,
    encode,
)
from arena.runtime.lifeline import Caretaker
from arena.runtime.page import Blame
from arena.runtime.watch import out_of_memory
from arena.runtime.worker_process import WorkerProcess
from arena.text import refusal

__all__ = [
    "ARENA_STALL",
    "FAILED_STARTS",
    "BeyondBoundsError",
    "Blame",
    "BotSpec",
    "Finding",
    "Job",
    "JobGame",
    "JobResult",
    "Limits",
    "LocalExecutor",
    "StartFault",
    "WorkerLostError",
    "below",
    "cores",
    "decode_job",
    "decode_result",
    "encode",
    "out_of_memory",
    "play_job",
    "within_bounds",
    "working_folder",
]


def play_job(payload: bytes) -> bytes:
    """Play an encoded job and return its encoded result: the one function that travels."""
    from arena.runtime.worker import play  # noqa: PLC0415 - zmq loads only where games are played

    return play(payload)


class WorkerLostError(ArenaError):
    """A worker died with its job; the job's games are played again."""

    def __init__(
        self, text: str, running: tuple[int, ...] = (), blamed: tuple[Blame, ...] = ()
    ) -> None:
        """Tell the places in the job of the games that were running when it died; they are void.

        Of one that was played alone the bots that are `blamed` may be at fault.
        """
        self.running = running
        self.blamed = blamed
        super().__init__(text)


class LocalExecutor(Executor):
    """Worker processes on this machine that are replaced one by one when they die.

    It runs `play_job` and nothing else. One thread waits for each worker.
    """

    def __init__(self, workers: int) -> None:
        """Prepare so many workers, each of which starts with its first job; sweep up before."""
        self._work: queue.SimpleQueue[tuple[Future[bytes], int, bytes] | None] = queue.SimpleQueue()
        self._submitted = 0
        """So many jobs; each has its number, from 1."""
        self._lock = threading.Lock()
        own = cores() if workers <= len(cores()) else []
        self._caretaker = Caretaker()
        lifeline = self._caretaker.lifeline
        self._workers = [_Worker(own[i] if own else None, lifeline) for i in range(workers)]
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
        with self._lock:
            self._submitted += 1
            self._work.put((future, self._submitted, payload))
        return future

    def _serve(self, worker: _Worker) -> None:
        while (item := self._work.get()) is not None:
            future, number, payload = item
            if not future.set_running_or_notify_cancel():
                continue
            try:
                future.set_result(worker.play(number, payload))
            except Exception as error:  # noqa: BLE001 - it belongs to whoever waits for the future
                future.set_exception(error)
        worker.leave()

    def finish(self) -> None:
        """Let every worker end its running games and begin no new one.

        That concerns all jobs that were submitted before; those not begun come back unplayed.
        """
        self._end(Ending.FINISH)

    def drop(self) -> None:
        """Let every worker end its job at once: games that are not over come back unplayed.

        That concerns all jobs that were submitted before.
        """
        self._end(Ending.DROP)

    def _end(self, ending: Ending) -> None:
        with self._lock:
            last = self._submitted
        for worker in self._workers:
            worker.end(last, ending)

    def kill(self) -> None:
        """Let every worker drop its running games and go, its bots with it."""
        for worker in self._workers:
            worker.stop()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: FBT001, FBT002 - the interface's
        """End the workers once their jobs are done."""
        self._is_shut = True
        if cancel_futures:
            self._cancel_waiting()
        for _ in self._threads:
            self._work.put(None)
        if wait:
            for thread in self._threads:
                thread.join()
            self._caretaker.dismiss()

    def _cancel_waiting(self) -> None:
        with contextlib.suppress(queue.Empty):
            while True:
                item = self._work.get_nowait()
                if item is not None:
                    item[0].cancel()


class _Worker:
    """A place for one local worker: the process that is there now, started when it is needed.

    The lock guards only which process that is, which job it has, and which jobs shall end. Reading
    and writing happen outside of it, so that a worker that is stuck holds nobody up.
    """

    def __init__(self, core: int | None, lifeline: int) -> None:
        self._core = core
        self._lifeline = lifeline
        self._present: WorkerProcess | None = None
        self._lock = threading.Lock()
        self._job = 0
        """The number of the last job that it began."""
        self._ended = 0
        """The number of the last job that shall end; those before it shall, too."""
        self._stopped = False

    def play(self, number: int, payload: bytes) -> bytes:
        """Let the worker play, unless the job with that number shall end.

        Raises `WorkerLostError` if the worker dies. For one thread only.
        """
        worker = self._begin(number)
        if worker is None:
            return encode(JobResult())
        try:
            return worker.play(payload)
        except (EOFError, OSError) as error:
            text = "a worker died in the middle of a job"
            raise WorkerLostError(text, *self.leave()) from error

    def _begin(self, number: int) -> WorkerProcess | None:
        """Return the process that is to play a job; from now on it hears how that shall end."""
        with self._lock:
            if self._stopped:
                raise WorkerLostError("the workers were stopped")
            if number <= self._ended:
                return None
            if self._present is None:
                try:
                    self._present = WorkerProcess(self._core, self._lifeline)
                except OSError as error:
                    text = f"no worker can be started: {refusal(error)}"
                    raise SurroundingsError(text) from error
            self._job = number
            self._present.begin()
            return self._present

    def end(self, last: int, ending: Ending) -> None:
        """Ask for the end of all jobs up to that number, begun or not."""
        with self._lock:
            self._ended = last
            if self._present is not None and self._job <= last:
                self._present.end(ending)

    def stop(self) -> None:
        """Hang up for good: the worker kills its bots and goes, and `play` raises."""
        with self._lock:
            self._stopped = True
            if self._present is not None:
                self._present.hang_up()

    def leave(self) -> tuple[tuple[int, ...], tuple[Blame, ...]]:
        """See the present process off, if there is one. For the thread of `play` only.

        Returns the places of the games that it broke off without being told to, and who may be
        blamed for that.
        """
        with self._lock:
            worker, self._present = self._present, None
        left = None if worker is None else worker.see_off()
        return ((), ()) if left is None or self._stopped else left


def cores() -> list[int]:
    """Return the numbers of the cores that may be used here."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))
