"""One run of a tournament: jobs out, records in, until nothing is left to play.

The coordinator's side. What may live here: which job is given out when, and what happens with
what comes back. What may not: how a game is played, what a game is worth.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from pathlib import Path
from time import monotonic
from typing import Protocol

import msgspec

from arena.errors import ArenaError, UserError
from arena.referee.record import Forfeit, GameId, GameRecord, name_of
from arena.runtime.executor import (
    BotSpec,
    Job,
    JobGame,
    StartFault,
    WorkerLostError,
    decode_result,
    encode,
    play_job,
)
from arena.store.store import Store
from arena.tournament import identity
from arena.tournament.config import Config
from arena.tournament.entering import Field, match_identity
from arena.tournament.pace import JOB_MS, Pace
from arena.tournament.schedule import Schedule, matches
from arena.tournament.stopping import Stopping

VOIDS_BEFORE_LISTED = 3
"""So many voids of one game, and it is listed as void instead of being played again."""
_LOSSES_IN_A_ROW = 5
"""So many jobs lost one after the other, and the run is abandoned."""
_LOOK_S = 0.1
"""How often a request to stop is looked for."""
_MS_PER_S = 1_000
_SHOWN_LINES = 5
LOGS = "bots"


class Listener(Protocol):
    """Who is told how the run goes."""

    def begun(self, *, settled: int, total: int) -> None:
        """Take in where the run begins."""

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

    def kill(self) -> None:
        """Drop the running games."""


class RunResult(msgspec.Struct, frozen=True):
    """How a run ended."""

    settled: int
    total: int
    signal: int | None
    """What interrupted it; None if it ended by itself."""
    withdrawn: dict[str, str]
    """Bot versions that could not be started in this run, and why."""


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
        listener: Listener,
        stopping: Stopping,
    ) -> None:
        """Find out what is settled; nothing is started yet."""
        self._config = config
        self._field = field
        self._store = store
        self._executor = executor
        self._workers = workers
        self._listener = listener
        self._stopping = stopping
        self._logs = Path(config.results) / LOGS
        self._pace = Pace()
        self._schedule = Schedule(matches(field.specs), config.boards)
        self._voids: Counter[GameId] = Counter(void.id for void in store.voids())
        self._in_flight: dict[Future[bytes], tuple[GameId, ...]] = {}
        self._losses = 0
        self._troubled = False
        self._withdrawn: dict[str, str] = {}
        self._shown: set[tuple[str, str]] = set()
        for match in matches(field.specs):
            self._schedule.settle(
                match, [(game.board, game.seating) for game in store.settled(match)]
            )
        self._settle_voids(self._voids)

    def run(self) -> RunResult:
        """Play until all is settled or a stop is asked for.

        Raises `UserError` if fewer than two bots can be started, `ArenaError` if the run must be
        abandoned; what was stored before stays.
        """
        self._listener.begun(settled=self._schedule.settled, total=self._schedule.total)
        try:
            if self._schedule.first_open() is not None:
                self._try_starts()
            while self._stopping.signal is None:
                self._give_out()
                if not self._in_flight:
                    break
                self._collect()
            self._finish()
        except BaseException:
            self._executor.kill()
            raise
        return RunResult(
            self._schedule.settled, self._schedule.total, self._stopping.signal, self._withdrawn
        )

    # before the first game

    def _try_starts(self) -> None:
        """Start every bot once, so that all that cannot start are named before game 1."""
        trials = {self._submit((spec,), ()): spec for spec in self._field.specs.values()}
        faults: dict[str, StartFault] = {}
        while trials and self._stopping.signal is None:
            for future in _some_done(trials):
                spec = trials.pop(future)
                try:
                    result = decode_result(future.result())
                except WorkerLostError as error:
                    self._lose(f"{error}; {spec.name} is started again")
                    trials[self._submit((spec,), ())] = spec
                else:
                    self._losses = 0
                    faults |= {fault.version: fault for fault in result.start_faults}
        if trials:
            self._executor.kill()
            return
        self._withdraw(faults[version] for version in self._field.specs if version in faults)
        if len(self._field.specs) - len(self._withdrawn) < 2:  # noqa: PLR2004 - a match
            raise UserError("fewer than two bots can be started, so there is nothing to play")

    def _withdraw(self, faults: Iterable[StartFault]) -> None:
        for fault in faults:
            if fault.version in self._withdrawn:
                continue  # two of its jobs found out at the same time
            self._withdrawn[fault.version] = fault.detail
            self._schedule.leave_out(fault.version)
            self._store.leave_out(fault.version, fault.detail)
            name = name_of(fault.version)
            lines = "".join(f"\n    {line}" for line in fault.got.splitlines())
            self._listener.notice(
                f"{name} cannot be started and is left out of this run: {fault.detail}{lines}"
            )

    # jobs

    def _submit(self, bots: Sequence[BotSpec], games: Sequence[JobGame]) -> Future[bytes]:
        job = Job(
            self._config.variant,
            self._config.options,
            tuple(bots),
            tuple(games),
            self._config.tables,
            JOB_MS,
            str(self._logs),
        )
        return self._executor.submit(play_job, encode(job))

    def _give_out(self) -> None:
        """Keep every worker busy, with one job waiting for whoever is ready first."""
        while len(self._in_flight) <= self._workers:
            first = self._schedule.first_open()
            if first is None:
                return
            games = self._schedule.take(self._pace.games_for(first.match, self._fair_share()))
            bots = [self._field.specs[version] for version in first.seats]
            future = self._submit(bots, [self._job_game(game) for game in games])
            self._in_flight[future] = games

    def _job_game(self, game: GameId) -> JobGame:
        secret = self._field.tournament.secret
        match = match_identity(self._field.hashes, game.match)
        return JobGame(
            game,
            identity.board_seed(secret, match, game.board),
            tuple(
                identity.bot_seed(secret, match, game.board, game.seating, seat)
                for seat in range(len(match))
            ),
        )

    def _fair_share(self) -> int:
        """Return what each worker gets if half of what nobody plays yet is dealt out evenly.

        Half, so that whoever is ready first finds something left, and all finish together.
        """
        given_out = sum(len(games) for games in self._in_flight.values())
        left = self._schedule.total - self._schedule.settled - given_out
        return max(1, left // (2 * self._workers))

    def _collect(self) -> None:
        for future in _some_done(self._in_flight):
            self._take(self._in_flight.pop(future), future)

    def _take(self, games: tuple[GameId, ...], future: Future[bytes]) -> None:
        """Store what a job brought; what it did not is open again."""
        try:
            result = decode_result(future.result())
        except WorkerLostError as error:
            self._schedule.release(games)
            if self._stopping.signal is None:
                self._lose(f"{error}; its {len(games)} games are played again")
            return
        self._losses = 0
        self._store.add(result.records, result.voids)
        self._pace.measure(games[0].match, len(result.records), result.elapsed_ms)
        for record in result.records:
            self._schedule.settle(record.id.match, [(record.id.board, record.id.seating)])
            self._announce(record)
        for void in result.voids:
            self._voids[void.id] += 1
        self._schedule.release(games)
        self._settle_voids(games)
        self._withdraw(result.start_faults)
        self._tell_once(result.lost_output)
        self._listener.advanced(self._schedule.settled)

    def _tell_once(self, trouble: str) -> None:
        """Say once what is not the bots' doing and ends nothing."""
        if trouble and not self._troubled:
            self._troubled = True
            self._listener.notice(f"what bots print is not kept: {trouble}")

    def _lose(self, text: str) -> None:
        """Take in that a worker died."""
        self._losses += 1
        self._listener.notice(text)
        if self._losses >= _LOSSES_IN_A_ROW:
            raise ArenaError(f"{_LOSSES_IN_A_ROW} workers died one after the other")

    def _settle_voids(self, games: Iterable[GameId]) -> None:
        for game in games:
            if self._voids[game] >= VOIDS_BEFORE_LISTED:
                self._schedule.settle(game.match, [(game.board, game.seating)])

    def _announce(self, record: GameRecord) -> None:
        """Tell the first fault of each bot and kind at once."""
        end = record.end
        if not isinstance(end, Forfeit):
            return
        version = record.id.seats[end.seat]
        if (version, end.fault) in self._shown:
            return
        self._shown.add((version, end.fault))
        name = name_of(version)
        log = self._logs / f"{name}.stderr.log"
        lines = [f"{name} lost game {record.id} by a fault ({end.fault}): {end.detail}"]
        lines += end.got.strip().splitlines()[-_SHOWN_LINES:]
        lines += [f"what it printed: {log}"] if log.exists() else []
        self._listener.notice("\n    ".join(lines))

    # the end

    def _finish(self) -> None:
        """Let running games end if there is time; drop what is left."""
        if self._in_flight:
            self._listener.notice("stopping: running games finish; once more to stop at once")
        queued = [future for future in self._in_flight if future.cancel()]
        for future in queued:
            self._schedule.release(self._in_flight.pop(future))
        self._executor.finish()
        end_s = monotonic() + self._config.run.finish_ms / _MS_PER_S
        while self._in_flight and not self._stopping.at_once and monotonic() < end_s:
            self._collect()
        if self._in_flight:
            self._executor.kill()


def _some_done(futures: Iterable[Future[bytes]]) -> list[Future[bytes]]:
    """Wait for one of `futures`, but not so long that a request to stop goes unheard.

    Those that are done come in the order in which they were given out.
    """
    done = wait(futures, timeout=_LOOK_S, return_when=FIRST_COMPLETED).done
    return [future for future in futures if future in done]
