"""How one bot of a job behaves: what its processes take, and when, over all of them.

What may live here: looking at the processes of one bot. What is too much, and what follows from
looks, says watch.py; who else is concerned, the loop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from arena.referee.clock import Limits
from arena.referee.fault import Fault, FaultKind
from arena.runtime.process import BotProcess
from arena.runtime.watch import Busyness, Demand, Look, Turns, fault_of

_US_PER_MS = 1_000


class Conduct:
    """What was seen of a bot's processes so far."""

    def __init__(self, limits: Limits, *, was_in_turn: bool | None) -> None:
        """Begin before the first process; `was_in_turn` is what `is_in_turn` was in other jobs.

        What is known of a bot holds until it is seen to do otherwise.
        """
        self.to_blame: FaultKind | None = None
        """What it would be at fault for if its worker died now, as far as the last look shows."""
        self._limits = limits
        self._busyness = Busyness()
        self._turns = Turns(are_known=was_in_turn is not None, were_exceeded=was_in_turn is False)
        self._demand = Demand()
        self._cpu_us = self._cpu_taken_us = 0
        """CPU time of its present process, in all and as far as it was asked for."""

    def begin_anew(self) -> None:
        """Forget a process that is replaced, but not what it did."""
        self._busyness = Busyness()
        self._turns.begin_anew()
        self._demand.pause()
        self._cpu_us = self._cpu_taken_us = 0

    @property
    def is_in_turn(self) -> bool | None:
        """Whether it computes in its turns only, on one core each; None if that is not known."""
        exceeds = self._turns.were_exceeded or self._demand.has_threads
        return not exceeds if exceeds or self._turns.are_known else None

    @property
    def cores(self) -> float:
        """How many cores it would keep busy, over all the time; 0 if that is not known."""
        return self._demand.cores

    @property
    def turns(self) -> int:
        """How many of its turns are over."""
        return self._turns.number

    def begin_turn(self, process: BotProcess, clock_ns: Callable[[], int]) -> None:
        """Take note that it is asked just now."""
        if self._turns.are_watched:
            self._turns.begin(process.computed_us, clock_ns() // 1000)

    def end_turn(self, process: BotProcess, now_us: int, asked_us: int) -> None:
        """Take note that it has just answered, what it was asked so long ago."""
        self._turns.end(process.computed_us, now_us, asked_us)

    def take_cpu_us(self, process: BotProcess | None) -> int:
        """Return the CPU time of the bot since this was last asked."""
        if process is not None:
            self._cpu_us = max(self._cpu_us, process.cpu_us())
        taken, self._cpu_taken_us = self._cpu_us - self._cpu_taken_us, self._cpu_us
        return taken

    def look(
        self,
        process: BotProcess,
        adopted: Iterable[int],
        now_us: int,
        *,
        asked_us: int | None,
        is_starting: bool,
        shares_a_core: bool,
    ) -> Fault | None:
        """Look at what the process and its descendants take; the fault if that is too much.

        These may be among the processes that the worker has adopted. `now_us` is a time that never
        stands still; `asked_us` is how long ago it was asked for an answer that it owes, None if it
        owes none. Unless it has to share a core, it is measured how many it would keep busy.
        """
        self.to_blame = None
        load = process.look(adopted)
        self._busyness.notice(load.cpu_us, now_us // _US_PER_MS)
        fault = fault_of(load, self._limits, proportional_memory=process.proportional_memory)
        if fault is not None:
            self.to_blame = fault.kind
            return fault
        self.to_blame = "flood" if self._busyness.is_busy else None
        if not is_starting:
            waited_us = 0 if shares_a_core else process.waited_us()
            look = self._seen(load.cpu_us, waited_us, now_us, asked_us)
            self._turns.notice(look)
            if shares_a_core:
                self._demand.pause()
            else:
                self._demand.notice(look)
        return None

    def forget_blame(self) -> None:
        """Take note that there is nothing to look at."""
        self.to_blame = None

    def _seen(self, cpu_us: int, waited_us: int, now_us: int, asked_us: int | None) -> Look:
        turns, in_turns_us = self._turns.number, self._turns.asked_us
        if asked_us is not None:
            turns, in_turns_us = turns + 1, in_turns_us + asked_us
        return Look(cpu_us, waited_us, in_turns_us, turns, now_us)
