"""A seat of a job: its bot, the decisions it owes, and which game pays for which fault.

What may live here: the rule that a fault costs exactly one game (contracts, 1: "Several tables").
What may not: waiting, sockets, how a game goes on.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any

from arena.protocol.messages import Act, Decide, Fail
from arena.referee.events import Ask, DeadlinePassed, Event, Replied, SeatLost
from arena.referee.fault import Fault
from arena.runtime.job import FAILED_STARTS
from arena.runtime.link import Ready
from arena.runtime.peer import Lost, Peer, PeerEvent, Replies
from arena.runtime.table import Table

_SHOWN_LENGTH = 1_000
"""So much of what a bot says of a game that it gives up is kept."""
_FAST_US = 1_000
_FAST_SAMPLES = 100

Verdict = tuple[Table, Event]
_NONE: Sequence[Verdict] = ()


class Trial:
    """The decisions of a frame that failed as a whole, asked again one by one."""

    def __init__(self, fault: Fault, tables: Sequence[Table]) -> None:
        """Begin with every table of the frame, in its order."""
        self.fault = fault
        self.left = deque(tables)
        self.held: list[Verdict] = []
        """Answers, until it is known which game pays for the frame."""


class Seat:
    """One bot of a job, from the first process to the last."""

    def __init__(self, number: int, peer: Peer) -> None:
        """Begin with a bot that was not started yet."""
        self.number = number
        self.peer = peer
        self.stalls = 0
        """Frames that came late though none of their decisions did."""
        self._was_ready = False
        """Whether it could be started when this was last tried."""
        self._failed_starts = 0
        """In a row."""
        self._debt: Fault | None = None
        self._owed: dict[int, Table] = {}
        """By its number on the wire, each table that waits for the bot."""
        self._trial: Trial | None = None
        self._samples_us: list[int] = []

    @property
    def is_fast(self) -> bool:
        """Whether it has answered in under 1 ms (p99) often enough to be sure."""
        if len(self._samples_us) < _FAST_SAMPLES:
            return False
        return sorted(self._samples_us)[len(self._samples_us) * 99 // 100] < _FAST_US

    @property
    def settled(self) -> bool:
        """Whether a game may begin: it could be started, or the game can pay for that."""
        return self._was_ready or self._debt is not None

    @property
    def may_start(self) -> bool:
        """Whether it is to have a process: not before its last one's fault is paid for.

        Else the number of its faults would depend on how long the other bots think.
        """
        return not self._is_given_up and self._debt is None

    @property
    def is_out(self) -> bool:
        """Whether it will never have a process again, and each failed start is paid for."""
        return self._is_given_up and self._debt is None

    @property
    def _is_given_up(self) -> bool:
        return self._failed_starts >= FAILED_STARTS

    @property
    def start_fault(self) -> Fault | None:
        """Why it could not be started, if no game has paid for it."""
        return self._debt if self._debt is not None and self._debt.kind == "no_start" else None

    # decisions

    def post(self, table: Table, ask: Ask) -> Sequence[Verdict]:
        """Queue a decision, or let it pay for a fault that no decision has paid for yet."""
        if self._debt is not None:
            return self._pay(table, self._debt)
        self._owed[table.post(ask)] = table
        return _NONE

    def _pay(self, table: Table, debt: Fault) -> list[Verdict]:
        self._debt = None
        return [(table, SeatLost(self.number, debt))]

    def pay_for_start(self, table: Table) -> list[Verdict]:
        """Let a game that begins pay for a process that did not."""
        return self._pay(table, self.start_fault) if self.start_fault is not None else []

    def excuse(self) -> list[Table]:
        """Forget what was asked, whatever comes of it; return the tables that waited for that."""
        tables = self._take_owed(self.peer.asked)
        if self._trial is not None:
            left = self._trial.left
            self._trial.left = deque(table for table in left if table not in tables)
        return tables

    def _take_owed(self, asked: Sequence[Decide[Any]]) -> list[Table]:
        """Return the tables that still wait for these decisions; they do not any more."""
        numbers = [decide.table for decide in asked]
        return [self._owed.pop(number) for number in numbers if number in self._owed]

    # what became of them

    def take(self, event: PeerEvent, *, has_games: bool) -> list[Verdict]:
        """Turn what came from the bot into what the referees are told."""
        match event:
            case Ready():
                self._was_ready = True
                self._failed_starts = 0
                return []
            case Replies():
                return self._take_replies(event)
            case Lost():
                return self._take_loss(event, has_games=has_games)

    def _take_replies(self, replies: Replies) -> list[Verdict]:
        take, number, elapsed_us = self._owed.pop, self.number, replies.elapsed_us
        verdicts: list[Verdict] = [
            (
                table,
                Replied(number, answer.seq, answer.action, elapsed_us, answer.note)
                if isinstance(answer, Act)
                else SeatLost(number, given_up(answer)),
            )
            for answer in replies.answers
            if (table := take(answer.table, None)) is not None
        ]
        if len(verdicts) == 1:
            self._sample(elapsed_us)
        return self._hold(verdicts)

    def _sample(self, elapsed_us: int) -> None:
        if len(self._samples_us) < 100 * _FAST_SAMPLES:
            self._samples_us.append(elapsed_us)

    def _take_loss(self, lost: Lost, *, has_games: bool) -> list[Verdict]:
        if lost.fault.kind == "no_start":
            return self._fail_start(lost.fault)
        tables = self._take_owed(lost.asked)
        if len(tables) > 1:
            self._trial = Trial(lost.fault, tables)
            return []
        if lost.asked:
            return self._hold([(table, self._loss(lost.fault)) for table in tables])
        return self._fall_on_next(lost.fault) if has_games else []

    def _loss(self, fault: Fault) -> Event:
        if fault.kind == "timeout":
            return DeadlinePassed(self.number)
        return SeatLost(self.number, fault)

    def _fail_start(self, fault: Fault) -> list[Verdict]:
        self._was_ready = False
        self._failed_starts += 1
        verdicts = self._fall_on_next(fault)
        if self._is_given_up and self._trial is not None:  # it will never be over
            verdicts += self._conclude(self._trial)
        return verdicts

    def _fall_on_next(self, fault: Fault) -> list[Verdict]:
        """Charge a fault that no answer was owed at: to the next decision there is, or will be."""
        waiting = self._waiting()
        if not waiting:
            self._debt = fault
            return []
        self._owed = {key: table for key, table in self._owed.items() if table is not waiting[0]}
        return self._hold([(waiting[0], SeatLost(self.number, fault))])

    # a frame that failed as a whole

    def _hold(self, verdicts: list[Verdict]) -> list[Verdict]:
        """Keep verdicts of a trial back until it is over; pass others on."""
        trial = self._trial
        if trial is None:
            return verdicts
        for table, _ in verdicts:
            trial.left.remove(table)
        trial.held += verdicts
        return [] if trial.left else self._conclude(trial)

    def _conclude(self, trial: Trial) -> list[Verdict]:
        """End a trial: if none faulted again its first game pays that has not lost already."""
        self._trial = None
        if any(_is_fault(*verdict) for verdict in trial.held):
            return trial.held
        if trial.fault.kind == "timeout":
            self.stalls += 1
            return trial.held
        answered = [table for table, event in trial.held if isinstance(event, Replied)]
        can_pay = [*answered, *trial.left]
        if not can_pay and self.peer.is_alive:
            return trial.held  # the arena's own stalls have voided every game of the frame
        if not can_pay:
            return [*trial.held, *self._fall_on_next(trial.fault)]
        rest = [verdict for verdict in trial.held if verdict[0] is not can_pay[0]]
        return [(can_pay[0], SeatLost(self.number, trial.fault)), *rest]

    def _waiting(self) -> list[Table]:
        """Return all tables that wait for this bot: those on trial, then by schedule order."""
        on_trial = list(self._trial.left) if self._trial else []
        others = [table for table in self._owed.values() if table not in on_trial]
        return on_trial + sorted(others, key=lambda table: table.place)

    def repeat(self) -> None:
        """Put all open decisions to a fresh process."""
        waiting = self._waiting()
        self._owed = {}
        for table in waiting:
            if table.asking is not None:
                self._owed[table.post(table.asking)] = table
        if self._trial is not None:
            self.peer.link.ask_one_by_one(len(self._trial.left))


def given_up(answer: Fail) -> Fault:
    """Return the fault of a bot that gives a game up."""
    text = f"the bot gave the game up at decision {answer.seq}"
    got = ascii((answer.detail or "")[:_SHOWN_LENGTH])[1:-1][:_SHOWN_LENGTH]
    return Fault("crash", text, got)


def _is_fault(table: Table, event: Event) -> bool:
    """Whether the bot faulted at the very decision, and not by a start that failed before it."""
    match event:
        case Replied():
            return table.asking is not None and event.action not in table.asking.legal
        case SeatLost():
            return event.fault.kind != "no_start"
        case _:
            return True
