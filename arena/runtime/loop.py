"""Plays one job: readiness becomes events, effects become frames. The only reader of a game clock.

One thread, one poller, a deadline for each bot process. What may live here: waiting, starting and
ending. What may not: rules, points, the text of a message, which games are open (tables.py), which
game a fault costs (seat.py).
"""

from __future__ import annotations

import selectors
import time
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Protocol

import zmq

from arena.rules.base import Rules
from arena.runtime.endpoint import Endpoint
from arena.runtime.guard import Guard
from arena.runtime.isolation import isolation
from arena.runtime.job import ARENA_STALL, BotSpec, Ending, Job, JobResult, StartFault
from arena.runtime.lateness import STALL_NS, Lateness, Suspension
from arena.runtime.page import Marks
from arena.runtime.peer import Peer, Replies
from arena.runtime.seat import Seat
from arena.runtime.tables import Tables
from arena.runtime.tree import reap

_NS_PER_MS = 1_000_000
_FAST_US = 1_000
_SLOW_US = 20_000
"""Of a decision: what a shared core saves is nothing beside it, what another bot takes is much."""
_FAREWELL_MS = 500
"""How long a process may take to exit after the farewell."""
_HEARTBEAT_NS = 50 * _NS_PER_MS
"""How long the loop waits at most: only at the end of a wait it sees that it is late."""
_LOOK_NS, _CALM_LOOK_NS = 50 * _NS_PER_MS, 100 * _NS_PER_MS
"""How often bots are looked after, and while they think on cores of their own: a look costs more
than all else that is to be done meanwhile."""
_SETTLING_S = 0.02
"""How long an answer may still be on its way through the socket's thread, which was late too."""


class Control(Protocol):
    """How whoever gave out the job can still steer it."""

    def fileno(self) -> int:
        """Return a descriptor that is readable when something was said."""
        ...

    def request(self) -> Ending | None:
        """Take in what was said; None: nothing about this job.

        Raises `EOFError` when nobody waits for the job any more.
        """
        ...


class Placing(Protocol):
    """Where worker and bots run."""

    def __call__(self, pids: Sequence[int], *, together: bool) -> None:
        """Put the worker and these processes on one core, or let them run on any."""
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
        place: Placing,
        marks: Marks,
        in_turn: dict[str, bool],
    ) -> None:
        """Prepare; `folder` is private to this job.

        `in_turn` says by bot version whether it computes in its turns only, as far as this worker
        has seen; what is seen now is added to it.
        """
        self._job = job
        self._control = control
        self._place = place
        level = isolation(job.isolation)
        self._seats = [
            Seat(
                number,
                Peer(
                    spec,
                    number,
                    folder / str(number),
                    log=_log_path(job, spec),
                    isolation=level,
                    may_ponder=not job.suspends,
                    was_in_turn=in_turn.get(spec.version),
                ),
            )
            for number, spec in enumerate(job.bots)
        ]
        self._tables = Tables(job, rules, self._seats, marks, lag_ns=self._lag_ns)
        self._ending: Ending | None = None
        self._poller = zmq.Poller()
        self._rare = selectors.DefaultSelector()
        self._watched: list[Endpoint | None] = []
        """The endpoints that are waited for, by seat."""
        self._speakers: dict[object, Seat] = {}
        """By socket, who speaks there."""
        self._is_blind = False
        """Whether the system does not tell when a process ends."""
        self._shares_a_core = False
        """Whether worker and bots run on one core."""
        self._asks_one_at_a_time = False
        """Whether a bot has to wait for the other one's answer; its clock does not run meanwhile.

        On one core they would take turns anyway, and so their frames are fewer and longer.
        """
        self._in_turn = in_turn
        self._placed: tuple[int, ...] = ()
        """Where the present processes run: on one core or not, and which ones they are."""
        self._lateness = Lateness()
        self._present_ns = self._now_ns()
        """When the loop last looked whether it is late."""
        self._begun_ns: int | None = None
        """When the first game was begun."""
        self._suspension = Suspension(_ahead_ns())
        self._next_look_ns = 0
        self._turns = 0
        """How many turns of the bots were over at the last look."""
        self._marks = marks
        self._guard = Guard([seat.peer for seat in self._seats])

    def run(self) -> JobResult:
        """Play until all games are over, the time is up, a bot is given up or an end is asked for.

        Raises `SurroundingsError` if the machine gives no processes or sockets.
        """
        with ExitStack() as closing:
            closing.callback(self._rare.close)
            for seat in self._seats:
                closing.callback(seat.peer.close)
            while self._has_work():
                self._start_bots()
                self._tables.open_more(self._may_begin)
                self._note_begin()
                self._rally()
                self._expire()
                self._look_after()
            played_ms = self._played_ms()
            self._dismiss()
        return JobResult(
            tuple(self._tables.records),
            tuple(self._tables.voids),
            () if self._job.games else tuple(self._start_faults()),
            played_ms,
            self._cores(),
            next((seat.peer.lost_output for seat in self._seats if seat.peer.lost_output), ""),
        )

    # time

    def _now_ns(self) -> int:
        """Read the clock of the games, which stands still while the arena is late."""
        return time.monotonic_ns() - self._lateness.total_ns

    def _lag_ns(self) -> int:
        """Return by how much the arena was late so far, in all."""
        return self._lateness.total_ns

    def _is_late(self, due_ns: int) -> bool:
        """Look whether it is later than it should be; if it is, the clock is put back.

        If it is much later, games of which an answer may have come meanwhile are void.
        """
        now_ns = self._now_ns()
        late_ns = self._lateness.notice(now_ns, due_ns)
        self._present_ns = now_ns - late_ns
        if late_ns > STALL_NS:
            self._tables.void_unanswered(ARENA_STALL)
        return late_ns > 0

    def _notice_suspension(self) -> None:
        """Void what waits for an answer if the machine was suspended; no clock needs putting back.

        Where no clock goes on meanwhile nothing can be seen.
        """
        if self._suspension.notice(_ahead_ns()):
            self._tables.void_unanswered(ARENA_STALL)

    def _stamp_ns(self) -> int:
        """Return the time, for a frame that is written and about to be sent.

        Not a time from before that: the bot would be charged for the writing. What is broken off
        now waits for another bot, so it has no decision in that frame.
        """
        self._is_late(self._present_ns)
        return self._present_ns

    def _start_faults(self) -> Iterable[StartFault]:
        for seat in self._seats:
            if seat.start_fault is not None:
                fault = seat.start_fault
                yield StartFault(seat.peer.spec.version, fault.detail, fault.got)

    # what is to be done

    def _has_work(self) -> bool:
        if not self._job.games:
            return self._ending != Ending.DROP and not all(seat.settled for seat in self._seats)
        return self._tables.are_open or (self._tables.to_come > 0 and self._may_begin())

    def _may_begin(self) -> bool:
        """Whether there is time for one more game; the first may always begin."""
        if self._ending is not None:
            return False
        is_first = self._tables.to_come == len(self._job.games)
        return is_first or self._played_ms() < self._job.budget_ms

    def _note_begin(self) -> None:
        if self._begun_ns is None and self._tables.to_come < len(self._job.games):
            self._begun_ns = self._now_ns()

    def _played_ms(self) -> int:
        """Return for how long games have been played, none of the bots' start in it."""
        return 0 if self._begun_ns is None else (self._now_ns() - self._begun_ns) // _NS_PER_MS

    def _cores(self) -> float:
        """Return how many cores the bots would keep busy; those that share one take one.

        0 if that is not known.
        """
        return 1 if self._shares_a_core else sum(seat.peer.conduct.cores for seat in self._seats)

    def _start_bots(self) -> None:
        """Give each bot without a process a fresh one, and put to it what is open."""
        for seat in self._seats:
            while not seat.peer.is_alive and seat.may_start:
                lost = seat.peer.start(self._now_ns())
                if lost is not None:
                    self._tables.hear(seat, lost)
                else:
                    seat.repeat()
            if not seat.peer.is_alive and seat.is_out:
                self._tables.give_up("a bot of the job cannot be started")
        if [seat.peer.endpoint for seat in self._seats] != self._watched:
            self._watch()

    # what goes out and comes in

    def _rally(self) -> None:
        """Pass decisions and answers on as long as there is nothing else to do or to look after.

        Here an arena is nearly all of the time, so nothing else stands in this circle.
        """
        self._flush()
        while self._wait() and self._tables.are_full and self._present_ns < self._next_look_ns:
            self._flush()

    def _flush(self) -> None:
        """Ask each bot that may be asked, or only the one with most decisions, if none is asked."""
        if not self._asks_one_at_a_time:
            for seat in self._seats:
                seat.peer.flush(self._stamp_ns)
        elif not any(seat.peer.asked for seat in self._seats):
            most = max(self._seats, key=lambda seat: seat.peer.link.ready)
            most.peer.flush(self._stamp_ns)

    def _watch(self) -> None:
        """Wait for the present processes from now on; what is rarely ready shares one place."""
        self._watched = [seat.peer.endpoint for seat in self._seats]
        self._rare.close()
        self._rare = selectors.DefaultSelector()
        self._poller = zmq.Poller()
        self._speakers = {}
        self._is_blind = False
        for seat in self._seats:
            peer = seat.peer
            if peer.endpoint is None or peer.process is None:
                continue
            self._poller.register(peer.endpoint.socket, zmq.POLLIN)
            self._speakers[peer.endpoint.socket] = seat
            self._rare.register(peer.process.output_fd, selectors.EVENT_READ, peer.process.drain)
            if peer.process.exit_fd is None:
                self._is_blind = True
            else:
                self._rare.register(peer.process.exit_fd, selectors.EVENT_READ, lambda: False)
        if self._control is not None:
            self._rare.register(self._control, selectors.EVENT_READ, self._obey)
        self._poller.register(self._rare, zmq.POLLIN)

    def _obey(self) -> bool:
        ending = None if self._control is None else self._control.request()
        if ending is not None:
            self._ending = ending
        if ending == Ending.DROP:
            self._tables.give_up("the job was dropped")
        return True

    def _wait(self) -> bool:
        """Wait for what comes next and take it in; tell whether that was answers and no more."""
        due_ns = self._due_ns()
        ready = self._poller.poll(-((self._present_ns - due_ns) // _NS_PER_MS))
        self._notice_suspension()
        if self._is_late(due_ns) and due_ns in self._deadlines_ns():
            time.sleep(_SETTLING_S)
            ready = self._poller.poll(0)
            self._is_late(due_ns)
        came_ns = min(self._present_ns, due_ns)  # else the loop should have seen it by then
        is_rare, answers = self._is_blind, 0
        for source, _ in ready:
            speaker = self._speakers.get(source)
            if speaker is None:
                is_rare = True
                continue
            event = speaker.peer.receive(came_ns)
            if event is not None:
                self._tables.hear(speaker, event)
                answers += isinstance(event, Replies)
        if is_rare:
            self._attend_to_rare()
            for seat in self._seats:
                if seat.peer.has_ended():
                    seat.peer.mourn(self._present_ns)
        return 0 < answers == len(ready)

    def _attend_to_rare(self, timeout_s: float = 0) -> None:
        """Call what is ready; what returns False is over and no longer waited for."""
        for key, _ in self._rare.select(timeout_s):
            if not key.data():
                self._rare.unregister(key.fileobj)

    def _due_ns(self) -> int:
        """Return until when to wait; not at all if no bot owes anything: there is more to begin."""
        deadlines_ns = self._deadlines_ns()
        if not deadlines_ns:
            return self._present_ns
        next_ns = min(self._present_ns + _HEARTBEAT_NS, *deadlines_ns)
        return max(self._present_ns, next_ns)

    def _deadlines_ns(self) -> list[int]:
        return [seat.peer.deadline_ns for seat in self._seats if seat.peer.deadline_ns is not None]

    def _expire(self) -> None:
        for seat in self._seats:
            deadline_ns = seat.peer.deadline_ns
            if deadline_ns is not None and self._present_ns > deadline_ns:
                self._tables.hear(seat, seat.peer.expire())

    def _look_after(self) -> None:
        """See now and then that no bot takes more of the machine than it may."""
        if self._present_ns < self._next_look_ns:
            return
        adopted = reap({pid for seat in self._seats for pid in seat.peer.roots})
        for seat in self._seats:
            lost = seat.peer.look_after(
                time.monotonic_ns(),
                self._present_ns,
                adopted,
                shares_a_core=self._shares_a_core,
            )
            self._marks.blame(seat.number, seat.peer.conduct.to_blame)
            if lost is not None:
                self._tables.hear(seat, lost)
        for number, fault in self._guard.look():
            seat = self._seats[number]
            self._tables.hear(seat, seat.peer.lose(fault))
        self._put_in_place()
        turns = sum(seat.peer.conduct.turns for seat in self._seats)
        is_calm = turns == self._turns and not self._shares_a_core
        self._turns = turns
        self._next_look_ns = self._present_ns + (_CALM_LOOK_NS if is_calm else _LOOK_NS)

    def _put_in_place(self) -> None:
        """Let all run on one core once no bot is seen to compute when it is another's turn.

        In turns nobody waits for a core so, and who has just been asked finds it warm. Any other
        bot would take its opponent's time, and one that thinks for long gives it much to take.
        """
        peers = [seat.peer for seat in self._seats]
        for peer in peers:
            if peer.conduct.is_in_turn is not None:
                self._in_turn[peer.spec.version] = peer.conduct.is_in_turn
        slowest_us = max(peer.us_a_decision(self._present_ns) for peer in peers)
        are_in_turn = all(peer.conduct.is_in_turn for peer in peers)
        self._shares_a_core = are_in_turn and slowest_us < _SLOW_US
        are_fast = slowest_us < _FAST_US  # and do not wait for anything else
        self._asks_one_at_a_time = self._shares_a_core and are_fast and not self._job.suspends
        present = (self._shares_a_core, *(peer.starts * peer.is_alive for peer in peers))
        if present != self._placed:
            self._placed = present
            processes = [peer.process for peer in peers if peer.is_alive]
            pids = [pid for process in processes if process for pid in process.pids()]
            self._place(pids, together=self._shares_a_core)

    # the end

    def _dismiss(self) -> None:
        """Say farewell and give the processes a moment to end by themselves."""
        end_ns = self._now_ns() + _FAREWELL_MS * _NS_PER_MS
        for seat in self._seats:
            seat.peer.dismiss("finished")
        while self._ending != Ending.DROP and self._now_ns() < end_ns:
            for seat in self._seats:
                if seat.peer.has_ended():
                    seat.peer.close()
            if not any(seat.peer.is_alive for seat in self._seats):
                return
            self._attend_to_rare(_HEARTBEAT_NS / 1e9)


def _ahead_ns() -> int:
    """Return by how much the clock that goes on in a suspended machine is ahead of the other."""
    if not hasattr(time, "CLOCK_BOOTTIME"):
        return 0
    return time.clock_gettime_ns(time.CLOCK_BOOTTIME) - time.monotonic_ns()


def _log_path(job: Job, spec: BotSpec) -> Path | None:
    return Path(job.stderr_folder) / f"{spec.name}.stderr.log" if job.stderr_folder else None
