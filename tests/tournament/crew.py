"""A tournament whose workers do what a test says. Helpers only, no test."""

from __future__ import annotations

import json
import signal
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from pathlib import Path

from arena.referee.record import Forfeit, GameId, GameRecord, GameResult, PackedRecord, Target
from arena.runtime.executor import Job, JobResult, decode_job, encode, play_job
from arena.store.store import Store
from arena.tournament.config import load_config
from arena.tournament.entering import enter
from arena.tournament.runner import Runner, RunResult, Workers
from arena.tournament.schedule import matches
from arena.tournament.stopping import Stopping

WORKERS = 2
Work = Callable[[Job], JobResult | Exception | None]
"""What becomes of a job; None: it runs and runs."""


def won(game: GameId, *, loser: int = 1, fault: str | None = None) -> PackedRecord:
    """The other seat wins whatever it is."""
    end = Target() if fault is None else Forfeit(loser, fault, "so it was", "one\ntwo")
    record = GameRecord(
        *(game, (10, 0), 1 - loser, end, (1, 0), (1, 0)), actions=("pass",), times_us=(1,)
    )
    return record.packed


def play(job: Job) -> JobResult:
    """Play all games of a job."""
    return JobResult(tuple(won(game.id) for game in job.games), play_ms=100)


class Crew:
    """Stands in for the local workers: jobs are done, or not, as soon as they come."""

    def __init__(self, work: Work) -> None:
        self.jobs: list[Job] = []
        self.inspections: list[Job] = []
        self.inspection: list[JobResult | Exception] = []
        """What comes of each look at the level; then all holds."""
        self.trials: list[str] = []
        self.killed = self.finished = self.dropped = 0
        self._work = work
        self._open: list[Future[bytes]] = []

    def submit(self, function: object, payload: bytes) -> Future[bytes]:
        assert function is play_job
        job = decode_job(payload)
        if job.inspects:
            return self._inspect(job)
        if job.games:
            self.jobs.append(job)
        else:
            self.trials += [bot.version for bot in job.bots]
        future: Future[bytes] = Future()
        self._open = [other for other in self._open if not other.done()] + [future]
        done = self._work(job)
        if isinstance(done, JobResult):
            future.set_result(encode(done))
        elif done is not None:
            future.set_exception(done)
        elif len(self._open) <= WORKERS:
            future.set_running_or_notify_cancel()
        return future

    def _inspect(self, job: Job) -> Future[bytes]:
        self.inspections.append(job)
        future: Future[bytes] = Future()
        found = self.inspection.pop(0) if self.inspection else JobResult(isolation=job.isolation)
        if isinstance(found, JobResult):
            future.set_result(encode(found))
        else:
            future.set_exception(found)
        return future

    def finish(self) -> None:
        self.finished += 1

    def drop(self) -> None:
        self.dropped += 1

    def kill(self) -> None:
        self.killed += 1

    @property
    def asked(self) -> Counter[GameId]:
        """How often each game was given out."""
        return Counter(game.id for job in self.jobs for game in job.games)


class Told:
    """Keeps what the runner tells."""

    def __init__(self) -> None:
        self.begins: list[tuple[int, int]] = []
        self.steps: list[int] = []
        self.notices: list[str] = []
        self.levels: list[str] = []
        """What was said of the level of isolation."""
        self.records: list[GameResult] = []

    def begun(self, *, settled: int, total: int) -> None:
        self.begins.append((settled, total))

    def played(self, records: Sequence[GameResult]) -> None:
        self.records += records

    def advanced(self, settled: int) -> None:
        self.steps.append(settled)

    def notice(self, text: str) -> None:
        (self.levels if text.startswith("isolation: ") else self.notices).append(text)


class Rehearsal:
    """A tournament of bots that never run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.told = Told()
        self.stopping = Stopping()
        self.configure("a", "b")
        self.store = Store.open(folder / "results" / "tour")

    def configure(self, *bots: str, boards: int = 3, **keys: object) -> None:
        for bot in bots:
            (self.folder / f"{bot}.py").write_text(bot)
        text = {"seed": 1, "boards": boards, "bots": [f"{bot}.py" for bot in bots], **keys}
        (self.folder / "tour.yaml").write_text(json.dumps(text))

    def run(self, crew: Workers) -> RunResult:
        config = load_config(self.folder / "tour.yaml")
        self.field = enter(config, self.store)
        return Runner(
            config,
            self.field,
            self.store,
            crew,
            workers=WORKERS,
            listener=self.told,
            stopping=self.stopping,
        ).run()

    def stored(self) -> list[GameId]:
        return sorted(
            r.id for match in matches(self.field.specs) for r in self.store.records(match)
        )


class Stopped:
    """Workers that run and run, until they are told to finish, to drop or are killed.

    If they are slow they do not finish in time; if they are stuck they do not hear of drops either.
    """

    def __init__(
        self,
        stopping: Stopping,
        requests: Iterable[signal.Signals],
        *,
        slow: bool = False,
        stuck: bool = False,
    ) -> None:
        self.running: list[tuple[Job, Future[bytes]]] = []
        self.crew = Crew(self._work)
        submit = self.crew.submit

        def submit_and_ask(function: object, payload: bytes) -> Future[bytes]:
            future = submit(function, payload)
            if len(self.crew.jobs) == WORKERS + 1:
                for request in requests:
                    stopping.request(request)
            job = decode_job(payload)
            if job.games:
                self.running.append((job, future))
            return future

        self.crew.submit = submit_and_ask  # type: ignore[method-assign]
        if not slow and not stuck:
            self.crew.finish = self._finish  # type: ignore[method-assign]
        if not stuck:
            self.crew.drop = self._drop  # type: ignore[method-assign]

    @staticmethod
    def _work(job: Job) -> JobResult | None:
        return None if job.games else JobResult()

    def _finish(self) -> None:
        self.crew.finished += 1
        self._end()

    def _drop(self) -> None:
        self.crew.dropped += 1
        self._end()

    def _end(self) -> None:
        """Each running job brings its first game."""
        for job, future in self.running:
            if future.running():
                future.set_result(encode(JobResult((won(job.games[0].id),), play_ms=10)))
