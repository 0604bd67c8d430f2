"""Plays one job: readiness becomes events, effects become frames. The only reader of a game clock.

One thread, one poller, a deadline for each bot process; many referees. What may live here:
waiting, passing on, opening and closing tables. What may not: rules, points, the text of a
message, which game a fault costs (seat.py).
"""

from __future__ import annotations

import selectors
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Protocol

import zmq

from arena.protocol.messages import MAX_TABLES
from arena.referee.events import Ask, Finished, GameStarted, Inform
from arena.referee.record import GameRecord, Void
from arena.rules.base import Rules
from arena.runtime.job import BotSpec, Job, JobResult, StartFault
from arena.runtime.peer import Peer, PeerEvent
from arena.runtime.seat import FAILED_STARTS, Seat, Verdict
from arena.runtime.table import Table

_NS_PER_MS = 1_000_000
_FAREWELL_MS = 500
"""How long a process may take to exit after the farewell."""
_UNWATCHED_MS = 50
"""How often the end of a process is looked for where the system cannot announce it."""


class Control(Protocol):
    """How whoever gave out the job can still steer it."""

    def fileno(self) -> int:
        """Return a descriptor that is readable when something was said."""
        ...

    def finish_requested(self) -> bool:
        """Take in what was said; raises `EOFError` when nobody waits for the job any more."""
        ...


class JobLoop:
    """Plays the games of one job with fresh bot processes."""

    def __init__(
        self,
        job: Job,
        rules: Rules,
        folder: Path,
        *,
        control: Control | None,
        pin: Callable[[Sequence[int]], None],
    ) -> None:
        """Prepare; `folder` is private to this job, `pin` puts processes on the worker's core."""
        self._job = job
        self._rules = rules
        self._control = control
        self._pin = pin
        most_starts = FAILED_STARTS if job.games else 1
        self._seats = [
            Seat(n, Peer(spec, folder / str(n), _log_path(job, spec)), most_starts=most_starts)
            for n, spec in enumerate(job.bots)
        ]
        self._coming = deque(job.games)
        self._tables: dict[Table, None] = {}
        self._most_tables = 1 if job.tables is None else job.tables
        self._finishing = False
        self._records: list[GameRecord] = []
        self._voids: list[Void] = []
        self._poller = zmq.Poller()
        self._rare = selectors.DefaultSelector()
        self._watched: tuple[int, ...] = ()
        self._began_ns = self._now_ns()

    def run(self) -> JobResult:
        """Play until all games are over, the time is up or a bot cannot be started."""
        try:
            while self._has_work():
                self._start_bots()
                self._open_tables()
                self._flush()
                self._wait()
                self._expire()
            self._dismiss()
        finally:
            for seat in self._seats:
                seat.peer.close()
            self._rare.close()
        return JobResult(
            tuple(self._records),
            tuple(self._voids),
            tuple(self._start_faults()),
            (self._now_ns() - self._began_ns) // _NS_PER_MS,
        )

    @staticmethod
    def _now_ns() -> int:
        return time.monotonic_ns()

    def _start_faults(self) -> Iterable[StartFault]:
        for seat in self._seats:
            if seat.start_fault is not None:
                fault = seat.start_fault
                yield StartFault(seat.peer.spec.version, fault.detail, fault.got)

    # what is to be done

    def _has_work(self) -> bool:
        if not self._job.games:
            return not all(seat.settled for seat in self._seats)
        if any(seat.start_fault for seat in self._seats):
            return False
        return bool(self._tables) or self._may_begin()

    def _may_begin(self) -> bool:
        if not self._coming or self._finishing:
            return False
        begun = len(self._coming) < len(self._job.games)
        used_ms = (self._now_ns() - self._began_ns) // _NS_PER_MS
        return not begun or used_ms < self._job.budget_ms

    def _start_bots(self) -> None:
        """Give each bot without a process a fresh one, and put to it what is open."""
        for seat in self._seats:
            while not seat.peer.is_alive and seat.may_start:
                lost = seat.peer.start(self._now_ns())
                if lost is not None:
                    self._hear(seat, [lost])
                else:
                    seat.repeat()
        present = tuple(seat.peer.starts * seat.peer.is_alive for seat in self._seats)
        if present != self._watched:
            self._watched = present
            self._watch()
            self._share_core()

    def _share_core(self) -> None:
        """Put worker and bots on one core when they take turns in quick succession."""
        if self._most_tables > 1:
            peers = [seat.peer for seat in self._seats]
            self._pin([peer.process.pid for peer in peers if peer.process and peer.is_alive])

    def _open_tables(self) -> None:
        if not all(seat.settled for seat in self._seats):
            return
        most = min(self._most_tables, *(seat.peer.link.max_tables for seat in self._seats))
        while len(self._tables) < most and self._may_begin():
            game = self._coming.popleft()
            table = Table(game, self._rules, [seat.peer for seat in self._seats])
            self._tables[table] = None
            for seat in self._seats:
                if unpaid := seat.pay_for_start(table):
                    self._tell(unpaid)
                    break
            else:
                self._tell([(table, GameStarted())])

    def _flush(self) -> None:
        for seat in self._seats:
            seat.peer.flush(self._now_ns())

    # what comes

    def _watch(self) -> None:
        """Wait for the present processes from now on; what is rarely ready shares one place."""
        self._rare.close()
        self._rare = selectors.DefaultSelector()
        self._poller = zmq.Poller()
        for seat in self._seats:
            peer = seat.peer
            if peer.socket is None or peer.process is None:
                continue
            self._poller.register(peer.socket, zmq.POLLIN)
            self._rare.register(peer.process.output_fd, selectors.EVENT_READ, peer.process.drain)
            if peer.process.exit_fd is not None:
                self._rare.register(peer.process.exit_fd, selectors.EVENT_READ)
        if self._control is not None:
            self._rare.register(self._control, selectors.EVENT_READ, self._obey)
        self._poller.register(self._rare, zmq.POLLIN)

    def _obey(self) -> bool:
        if self._control is not None and self._control.finish_requested():
            self._finishing = True
        return True

    def _wait(self) -> None:
        ready = dict(self._poller.poll(self._patience_ms()))
        for seat in self._seats:
            if seat.peer.socket in ready:
                self._hear(seat, seat.peer.receive(self._now_ns))
        if self._rare.fileno() in ready or self._is_blind():
            self._attend_to_rare()
            for seat in self._seats:
                if seat.peer.has_ended():
                    self._hear(seat, seat.peer.bury(self._now_ns))

    def _attend_to_rare(self, timeout_s: float = 0) -> None:
        for key, _ in self._rare.select(timeout_s):
            if key.data is not None and not key.data():
                self._rare.unregister(key.fileobj)

    def _is_blind(self) -> bool:
        """Whether the system does not tell when a process ends."""
        return any(seat.peer.process and not seat.peer.process.exit_fd for seat in self._seats)

    def _patience_ms(self) -> int:
        """Return how long to wait; not at all if no bot owes anything: there is more to begin."""
        now_ns = self._now_ns()
        waits_ms = [
            max(0, -(-(seat.peer.deadline_ns - now_ns) // _NS_PER_MS))
            for seat in self._seats
            if seat.peer.deadline_ns is not None
        ]
        if self._is_blind():
            waits_ms.append(_UNWATCHED_MS)
        return min(waits_ms, default=0)

    def _expire(self) -> None:
        for seat in self._seats:
            deadline_ns = seat.peer.deadline_ns
            if deadline_ns is not None and self._now_ns() > deadline_ns:
                self._hear(seat, [seat.peer.expire()])

    def _hear(self, seat: Seat, events: Iterable[PeerEvent]) -> None:
        for event in events:
            stalls = seat.stalls
            self._tell(seat.take(event, has_games=bool(self._tables)))
            if seat.stalls > stalls:
                self._most_tables = max(1, self._most_tables // 2)

    # what follows

    def _tell(self, verdicts: list[Verdict]) -> None:
        """Give the referees what is known and do what they want done."""
        queue = deque(verdicts)
        while queue:
            table, event = queue.popleft()
            if table not in self._tables:
                continue
            for effect in table.referee.handle(event):
                match effect:
                    case Ask():
                        queue.extend(self._seats[effect.seat].post(table, effect))
                    case Inform():
                        table.inform(effect)
                    case Finished(record):
                        self._finish(table, record)

    def _finish(self, table: Table, record: GameRecord | Void) -> None:
        del self._tables[table]
        if isinstance(record, Void):
            self._voids.append(record)
        else:
            self._records.append(record)
        if self._job.tables is None and self._most_tables == 1:
            self._consider_many_tables()

    def _consider_many_tables(self) -> None:
        """Open many games at once when no clock can suffer from it (contracts, 1)."""
        if all(seat.is_fast and seat.stalls == 0 for seat in self._seats):
            self._most_tables = MAX_TABLES
            self._share_core()

    def _dismiss(self) -> None:
        """Say farewell and give the processes a moment to end by themselves."""
        end_ns = self._now_ns() + _FAREWELL_MS * _NS_PER_MS
        for seat in self._seats:
            seat.peer.dismiss("finished")
        while self._now_ns() < end_ns:
            for seat in self._seats:
                if seat.peer.has_ended():
                    seat.peer.close()
            if not any(seat.peer.is_alive for seat in self._seats):
                return
            self._attend_to_rare(_UNWATCHED_MS / 1e3)


def _log_path(job: Job, spec: BotSpec) -> Path | None:
    return Path(job.stderr_folder) / f"{spec.name}.stderr.log" if job.stderr_folder else None
