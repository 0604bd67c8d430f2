"""One run of a tournament: jobs out, records in, until nothing is left to play.

The coordinator's side. What may live here: which job is given out when, and what happens with
what comes back. What may not: how a game is played, what a game is worth.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from math import inf
from pathlib import Path
from time import monotonic
from typing import Protocol

import msgspec
from msgspec import structs

from arena.errors import UserError
from arena.referee.record import GameId, GameResult, Void, name_of
from arena.runtime.executor import (
    ARENA_STALL,
    BotSpec,
    Job,
    JobGame,
    JobResult,
    StartFault,
    WorkerLostError,
    decode_result,
    encode,
    play_job,
)
from arena.store.rows import Decision, Stop
from arena.store.store import Store
from arena.text import count
from arena.tournament.config import Config
from arena.tournament.entering import Field, closed, match_identity
from arena.tournament.identity import Seeds
from arena.tournament.ledger import Ledger
from arena.tournament.pace import JOB_MS
from arena.tournament.preparing import Maker, StoppedError, prepare_all
from arena.tournament.schedule import matches
from arena.tournament.stopping import Stopping
from arena.tournament.stops import rules_of
from arena.tournament.trials import Inspection, inspect, some_done, try_starts
from arena.tournament.voids import forfeited
from arena.tournament.workload import Games, Workload

_LOSSES_IN_A_ROW = 5
"""So many jobs lost that brought no game, and it is seen whether workers live without bots.

Fewer than make a game void for good, if the machine kills all workers.
"""
_FEWEST_BOTS = 2
_DROP_S = 3.0
"""How long workers that were told to drop their jobs may take to bring what is finished."""
_MS_PER_S = 1_000
LOGS = "bots"


class Listener(Protocol):
    """Who is told how the run goes."""

    def begun(self, *, settled: int, total: int) -> None:
        """Take in where the run begins."""

    def played(self, records: Sequence[GameResult]) -> None:
        """Take in games that have just been stored."""

    def advanced(self, settled: int) -> None:
        """Take in how many games of the schedule are settled now."""

    def notice(self, text: str) -> None:
        """Take in what a person should know at once."""


class Workers(Protocol):
    """Where jobs are played: an executor that can also be asked to stop."""

    def submit(self, function: Callable[[bytes], bytes], payload: bytes, /) -> Future[bytes]:
        """Queue an encoded job; its future raises `WorkerLostError` if it was lost."""
        ...

    def finish(self) -> None:
        """Let running games end and begin no new one."""

    def drop(self) -> None:
        """End all jobs at once; they bring the games that are over."""

    def kill(self) -> None:
        """Drop all jobs; what they would bring is lost."""


class RunResult(msgspec.Struct, frozen=True):
    """How a run ended."""

    settled: int
    total: int
    signal: int | None
    """What interrupted it; None if it ended by itself."""
    out_of_time: bool = False
    """Whether it ended because `stop.after` was over, with games left to play."""


class Runner:
    """Plays what is left of a tournament."""

    def __init__(
        self,
        config: Config,
        field: Field,
        store: Store,
        executor: Workers,
        *,
        workers: int,
        cores: int | None = None,
        listener: Listener,
        stopping: Stopping,
    ) -> None:
        """Find out what is settled; nothing is started yet.

        If bots keep more than one core busy, fewer `workers` play at a time, so that no more than
        so many `cores` are wanted; None: all of them do.
        """
        self._config = config
        self._field = field
        self._specs = dict(field.specs)
        """How each is started, once it is prepared."""
        self._store = store
        self._executor = executor
        self._listener = listener
        self._stopping = stopping
        self._logs = Path(config.results) / LOGS
        self._ledger = Ledger(
            matches(field.specs),
            config.boards,
            config.faults.withdraw_after,
            rules_of(config, field.specs),
            played=store.settled,
            voids=store.voids(),
            withdrawals=store.withdrawals(),
            stops=store.stops(),
        )
        self._workload = Workload(self._ledger, workers, cores=cores)
        self._in_flight: dict[Future[bytes], Games] = {}
        self._isolation = config.isolation
        """The level in force; before the machine was looked at, what the config says."""
        self._losses = 0
        self._troubled = self._held_back = False
        self._end_s = inf
        """When the run shall end (`stop.after`), on the clock `monotonic`."""

    def run(self) -> RunResult:
        """Play until all is settled or a stop is asked for.

        Raises `UserError` if too few bots can be started or the tournament is closed, `ArenaError`
        if the run must be abandoned; what was stored before stays.
        """
        decided = self._ledger.decide()  # what an earlier run stored may say something new by now
        if decided:
            self._store.add(decisions=decided)
        self._tell(decided)
        self._listener.begun(settled=self._ledger.settled, total=self._ledger.total)
        try:
            if self._ledger.has_more:
                self._begin()
            if self._config.stop.after_ms is not None:
                self._end_s = monotonic() + self._config.stop.after_ms / _MS_PER_S
            while not self._shall_end:
                self._give_out()
                if not self._in_flight:
                    break
                self._collect()
            self._finish()
        except BaseException:
            self._executor.kill()
            raise
        settled, total = self._ledger.settled, self._ledger.total
        out_of_time = self._is_out_of_time and self._ledger.has_more
        return RunResult(settled, total, self._stopping.signal, out_of_time)

    @property
    def _is_out_of_time(self) -> bool:
        return monotonic() >= self._end_s

    @property
    def _shall_end(self) -> bool:
        is_asked = self._stopping.signal is not None or self._is_out_of_time
        return is_asked or self._ledger.is_stopped

    @property
    def _is_urgent(self) -> bool:
        return self._stopping.at_once or self._ledger.is_stopped

    # before the first game

    def _begin(self) -> None:
        if self._field.tournament.revealed:
            raise closed(self._config)
        if not self._inspect():
            return
        versions = [one for one in self._field.specs if not self._ledger.is_withdrawn(one)]
        faults = self._faults_of(versions)
        if faults is None:
            self._executor.kill()
            return
        stops = self._config.faults.no_start == "stop"
        for fault in faults:
            self._tell_start_fault(fault, "" if stops else " and is left out of this run")
            if not stops:
                self._ledger.leave_out(fault.version)
                self._store.leave_out(fault.version, fault.detail)
        if faults and stops:
            raise UserError(
                "nothing is played, because faults.no_start is stop: mend what cannot be started,"
                " or take it out of bots"
            )
        if len(versions) - len(faults) < _FEWEST_BOTS:
            raise UserError("fewer than two bots can be started, so there is nothing to play")

    def _faults_of(self, versions: Sequence[str]) -> tuple[StartFault, ...] | None:
        """Return why some cannot be started; None if it was asked to stop before all were tried."""

        def is_stopping() -> bool:
            return self._stopping.signal is not None

        wanted = {version: self._field.entries[version] for version in versions}
        try:
            specs, unprepared = prepare_all(
                wanted, Maker(self._listener.notice, is_stopping, self._isolation)
            )
        except StoppedError:
            return None
        self._specs |= specs
        tried = try_starts(
            specs.values(),
            lambda spec: self._submit((spec,), (), tables=1),
            lost=self._listener.notice,
            is_stopping=is_stopping,
        )
        return None if tried is None else (*unprepared, *tried)

    def _inspect(self) -> bool:
        """See that the level of isolation holds; False if it was asked to stop before."""
        inspection = self._look()
        if inspection is None:
            self._executor.kill()
            return False
        self._isolation = inspection.isolation
        builtins = [msgspec.to_builtins(finding) for finding in inspection.findings]
        self._store.inspected(inspection.isolation, inspection.digest, builtins)
        inspection.require_kept()
        self._listener.notice(
            f"isolation: {inspection.isolation}, {count(inspection.held, 'attack')} held"
            f" (inspection {inspection.digest[:12]})"
        )
        if inspection.passed_over:
            text = f"auto chose {inspection.isolation}, because {inspection.passed_over}"
            self._listener.notice(f"isolation: {text}")
        return True

    def _look(self) -> Inspection | None:
        """Let a worker look at the level; None: it was asked to stop before."""
        return inspect(
            lambda: self._submit((), (), tables=1, inspects=True),
            lost=self._listener.notice,
            is_stopping=lambda: self._stopping.signal is not None,
        )

    def _tell_start_fault(self, fault: StartFault, what_follows: str) -> None:
        name = name_of(fault.version)
        lines = "".join(f"\n    {line}" for line in fault.got.splitlines())
        text = f"{name} cannot be started{what_follows} (no_start): {fault.detail}{lines}"
        self._listener.notice(text + self._printed(name))

    def _printed(self, name: str) -> str:
        """Name the file with what a bot printed, on a line of its own, if there is one."""
        log = self._logs / f"{name}.stderr.log"
        return f"\n    what it printed: {log}" if log.exists() else ""

    # jobs out

    def _submit(
        self,
        bots: Sequence[BotSpec],
        games: Sequence[JobGame],
        *,
        tables: int | None,
        inspects: bool = False,
    ) -> Future[bytes]:
        job = Job(
            self._config.variant,
            self._config.options,
            tuple(bots),
            tuple(games),
            tables,
            JOB_MS,
            str(self._logs),
            self._isolation,
            self._config.pondering,
            inspects,
            self._config.records,
        )
        return self._executor.submit(play_job, encode(job))

    def _give_out(self) -> None:
        while games := self._workload.next_job(self._in_flight.values()):
            bots = [self._specs[version] for version in games[0].seats]
            tables = 1 if self._ledger.was_alone(games) else self._config.tables
            future = self._submit(bots, self._job_games(games), tables=tables)
            self._in_flight[future] = games
        if self._workload.is_held_back and not self._held_back:
            self._held_back = True
            self._listener.notice(
                "bots keep more than one core busy, so not all workers play at the same time"
                " (a number for run.workers lets them)"
            )

    def _job_games(self, games: Sequence[GameId]) -> list[JobGame]:
        """Add to games of one match what their cards and their bots' dice come from."""
        match = games[0].match
        seeds = Seeds(self._field.tournament.secret, match_identity(self._field.hashes, match))
        return [
            JobGame(
                game,
                seeds.board(game.board),
                tuple(seeds.bot(game.board, game.seating, seat) for seat in range(len(match))),
            )
            for game in games
        ]

    # results in

    def _collect(self) -> None:
        for future in some_done(self._in_flight):
            self._take(self._in_flight.pop(future), future)

    def _take(self, games: Games, future: Future[bytes]) -> None:
        """Store what a job brought; what it did not is open again."""
        try:
            result = decode_result(future.result())
        except WorkerLostError as error:
            result = self._loss(games, error)
        if result.records:
            self._losses = 0
        self._workload.came_back(games[0].match, result)
        self._tell_stall(sum(void.cause == ARENA_STALL for void in result.voids))
        result = self._judged(games, result)
        self._ledger.take(games, result.records, result.voids)
        decided = self._ledger.decide()
        # Together, so that what counts never depends on where a kill falls.
        self._store.add(result.records, result.voids, decided)
        self._listener.played(result.records)
        self._tell(decided)
        self._tell_once(result.lost_output)
        self._listener.advanced(self._ledger.settled)
        if self._losses >= _LOSSES_IN_A_ROW and self._stopping.signal is None:
            inspection = self._look()  # raises `ArenaError` if it is not the bots who end workers
            if inspection is not None:
                inspection.require_kept()
            self._losses = 0

    def _tell_stall(self, voids: int) -> None:
        if voids:
            self._listener.notice(f"the arena was held up: {count(voids, 'game')} void")

    def _loss(self, games: Games, error: WorkerLostError) -> JobResult:
        """Return what came of a job whose worker died: the games that were running are void.

        If none was running yet it is the first that was to begin, so that bots that end each
        worker before that come to an end, too.
        """
        running = error.running or (0,)
        voids = tuple(Void(games[place], "worker_died") for place in running)
        what_follows = f"{count(len(voids), 'game')} void, all its games are played again"
        if self._ledger.was_alone(games):
            what_follows = f"{games[0]} is not played again"
        bots = " and ".join(map(name_of, games[0].match))
        self._listener.notice(f"{error} of {bots}; {what_follows}")
        self._losses += 1
        return JobResult(voids=voids, blamed=error.blamed)

    def _judged(self, games: Games, result: JobResult) -> JobResult:
        """Let a game that is void for good be lost by a bot that is to blame, if there is one."""
        if not (result.voids and result.blamed and self._ledger.was_alone(games)):
            return result
        limits = [self._field.specs[version].limits for version in games[0].seats]
        lost = structs.replace(
            forfeited(games[0], result.blamed, limits),
            isolation=self._isolation,
            pondering=self._config.pondering,
        )
        kept = lost.packed if self._config.records == "all" else lost.result
        return structs.replace(result, records=(kept,), voids=())

    def _tell(self, decisions: Iterable[Decision]) -> None:
        for one in decisions:
            if isinstance(one, Stop):
                self._listener.notice(f"the tournament ends: {one.reason}")
                continue
            name = name_of(one.version)
            text = f"{name} is withdrawn and plays no more games: {one.reason}, last {one.game}"
            self._listener.notice(text + self._printed(name))

    def _tell_once(self, trouble: str) -> None:
        """Say once what is not the bots' doing and ends nothing."""
        if trouble and not self._troubled:
            self._troubled = True
            self._listener.notice(f"what bots print is not kept: {trouble}")

    # the end

    def _finish(self) -> None:
        """Let running games end if there is time; drop what is left, but no game that is over.

        Games that are running when the tournament has been stopped count no more.
        """
        if self._shall_end:
            self._store.note_stopping()
        if self._in_flight and not self._ledger.is_stopped:
            why = "stopping" if self._stopping.signal is not None else "stop.after is over"
            self._listener.notice(f"{why}: running games finish; once more to stop at once")
        queued = [future for future in self._in_flight if future.cancel()]
        for future in queued:
            self._ledger.release(self._in_flight.pop(future))
        self._executor.finish()
        end_s = monotonic() + self._config.run.finish_ms / _MS_PER_S
        while self._in_flight and not self._is_urgent and monotonic() < end_s:
            self._collect()
        if self._in_flight:
            self._executor.drop()
            end_s = monotonic() + _DROP_S
        while self._in_flight and monotonic() < end_s:
            self._collect()
        if self._in_flight:
            self._executor.kill()
        for games in self._in_flight.values():
            self._ledger.release(games)
