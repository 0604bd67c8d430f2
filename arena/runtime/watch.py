"""What a bot's processes may take together, and how its looks are judged. Pure: numbers in.

The limits of the system hold for one process each; a bot can have many.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import msgspec

from arena.referee.clock import Limits
from arena.referee.fault import Fault
from arena.runtime.tree import Load

_US_PER_MS = 1_000
_BUSY_SHARE = 1.25
"""More than one core; measured over `_BUSY_MS` at least, as some clocks of Linux are coarse."""
_BUSY_MS = 200
_KNOWN_US, _KNOWN_ASKED_US = 500_000, 25_000
"""For so long a bot is watched, or asked, before it is said what it would keep busy."""
_SHORTEST_US = 1_000
"""Of a turn in which threads can be of use."""
_SEVERAL = 1.5
"""Cores; those who only send and receive for a bot are at work now and then, too."""
_AFTERMATH_US = 50
"""So much a bot may compute when its answer is on its way already, before it waits."""
_MOST_BEYOND = 0.1
"""Of the time, what it may compute beside that."""
_MOST_BEYOND_AT_ONCE = 0.2
"""Of the time between two looks: the CPU time of processes that have ended comes in steps."""
_LONG_ENOUGH_US = 50_000
_WATCHED = 3
"""What is watched begins when the lowest bits of the time are zero."""
MOST_CONNECTIONS = 16
MOST_UNFINISHED_BYTES = 128_000_000
_SANDBOX_PROCESSES = 2
"""Those that bubblewrap itself has for each bot."""
_MB = 1_000_000
_SAYINGS = (
    *("MemoryError", "bad_alloc", "OutOfMemoryError", "out of memory", "Out of memory"),
    *("Cannot allocate memory", "JavaScript heap"),
)
"""How programs say themselves that they were refused memory."""


def fault_of(load: Load, limits: Limits, *, proportional_memory: Callable[[], int]) -> Fault | None:
    """Return what a bot has done whose processes take so much; None if they may.

    `proportional_memory` looks at its memory more closely, which is done only if that matters.
    """
    if load.processes > limits.processes + _SANDBOX_PROCESSES:
        return Fault("flood", f"more than {limits.processes} processes and threads")
    if load.memory_bytes > limits.memory_bytes and proportional_memory() > limits.memory_bytes:
        return out_of_memory(limits)
    return None


def out_of_memory(limits: Limits) -> Fault:
    """Return the fault of a bot that wanted more memory than it may have."""
    return Fault("memory", f"memory limit {limits.memory_bytes / _MB:g} MB")


def says_it_lacked_memory(last_lines: str) -> bool:
    """Whether a program that ended said that it was refused memory."""
    return any(saying in last_lines for saying in _SAYINGS)


class Busyness:
    """Whether a bot kept more than one core busy lately."""

    def __init__(self) -> None:
        """Begin before the first look."""
        self.is_busy = False
        self._since: tuple[int, int] | None = None

    def notice(self, cpu_us: int, now_ms: int) -> None:
        """Take in the CPU time of all its processes so far, and when that was measured."""
        since_us, since_ms = self._since = self._since or (cpu_us, now_ms)
        elapsed_ms = now_ms - since_ms
        if elapsed_ms >= _BUSY_MS:
            self.is_busy = cpu_us - since_us > _BUSY_SHARE * elapsed_ms * _US_PER_MS
            self._since = (cpu_us, now_ms)


class Look(msgspec.Struct, frozen=True):
    """What a bot process has taken until now."""

    cpu_us: int
    waited_us: int
    """For how long its threads could have run and had no core."""
    asked_us: int
    """For how long an answer was waited for."""
    turns: int
    """How often."""
    now_us: int


class Demand:
    """How many cores a bot would keep busy, whether it gets them or not.

    Its CPU time alone does not tell: where too many want the same cores, each gets less than it can
    use.
    """

    def __init__(self) -> None:
        """Begin before the first look."""
        self._wanted_us = self._asked_us = self._turns = self._elapsed_us = 0
        self._last: Look | None = None

    def notice(self, look: Look) -> None:
        """Take in what it has taken so far; a fresh process begins anew."""
        if self._last is not None:
            self._wanted_us += max(0, look.cpu_us - self._last.cpu_us)
            self._wanted_us += max(0, look.waited_us - self._last.waited_us)
            self._asked_us += max(0, look.asked_us - self._last.asked_us)
            self._turns += max(0, look.turns - self._last.turns)
            self._elapsed_us += look.now_us - self._last.now_us
        self._last = look

    def pause(self) -> None:
        """Let what it takes from now on not count, until the next look."""
        self._last = None

    @property
    def cores(self) -> float:
        """How many it would have kept busy over all the time; 0 before that is known."""
        return self._wanted_us / self._elapsed_us if self._elapsed_us >= _KNOWN_US else 0

    @property
    def has_threads(self) -> bool:
        """Whether it keeps more than one busy while it is asked.

        Not if it answers at once: whatever it is, threads cannot be what it does with that time.
        """
        is_known = self._asked_us >= max(_KNOWN_ASKED_US, _SHORTEST_US * self._turns)
        return is_known and self._wanted_us > _SEVERAL * self._asked_us


class Turns:
    """Whether a bot computes in its turns only, and no more in a turn than one core can.

    Any other would take its opponent's time if both had to share a core: it ponders, or has more
    than one thread at work. Two ways of looking find that. About one turn of four is watched, with
    the pause before it, which shows what is done in quick games; which turn, no bot can know. And
    at every look it is compared with what was there at the last one, which shows what is done in
    long turns, also by processes that have ended.
    """

    def __init__(self, *, are_known: bool = False, were_exceeded: bool = False) -> None:
        """Begin before the first turn, with what is known from elsewhere."""
        self.are_known = are_known
        """Whether they were watched for long enough, in whatever process."""
        self.were_exceeded = were_exceeded
        """Whether it ever computed beyond them, in whatever process."""
        self.number = 0
        """Of all turns."""
        self.asked_us = 0
        """For how long an answer was waited for in them."""
        self.begin_anew()

    def begin_anew(self) -> None:
        """Forget a process that is replaced, but not what it did."""
        self._watch: tuple[int, int] | None = None
        """CPU time so far and when that was, at the begin of what is watched; None: nothing is."""
        self._watched_us = 0
        self._beyond_us = 0
        self._last: Look | None = None

    @property
    def are_watched(self) -> bool:
        """Whether `begin` has something to look at."""
        return self._watch is not None

    def begin(self, computed_us: Callable[[], int], now_us: int) -> None:
        """Take note that it is asked just now; `computed_us` tells its CPU time so far."""
        if self._watch is not None:
            self._watch = self._compare(self._watch, (computed_us(), now_us), cores=0)

    def end(self, computed_us: Callable[[], int], now_us: int, asked_us: int) -> None:
        """Take note that it has just answered, what it was asked so long ago."""
        self.number += 1
        self.asked_us += asked_us
        if self._watch is not None:
            self._watch = self._compare(self._watch, (computed_us(), now_us), cores=1)
            self._judge()
        if now_us & _WATCHED:
            self._watch = None
        elif self._watch is None:
            self._watch = computed_us(), now_us

    def notice(self, look: Look) -> None:
        """Take in what it has taken so far, at a look at all its processes."""
        if self._last is not None:
            elapsed_us = look.now_us - self._last.now_us
            beyond_us = look.cpu_us - self._last.cpu_us - (look.asked_us - self._last.asked_us)
            self.were_exceeded |= beyond_us > _MOST_BEYOND_AT_ONCE * elapsed_us
        self._last = look

    def _compare(
        self, before: tuple[int, int], now: tuple[int, int], *, cores: int
    ) -> tuple[int, int]:
        """Add up by how much it has computed too much between two looks; return the second."""
        computed_us, elapsed_us = now[0] - before[0], now[1] - before[1]
        self._beyond_us += max(0, computed_us - cores * elapsed_us - _AFTERMATH_US)
        self._watched_us += elapsed_us
        return now

    def _judge(self) -> None:
        if self._watched_us >= _LONG_ENOUGH_US:
            self.are_known = True
            self.were_exceeded |= self._beyond_us > _MOST_BEYOND * self._watched_us
            self._watched_us = self._beyond_us = 0


# what bots send, and how they connect


def crowds(
    connections: Mapping[str, Sequence[int]],
    seats: Mapping[str, int],
    owners: Mapping[int, int],
) -> Counter[int]:
    """Return by seat how many connections its bot has made, to whatever endpoint.

    `connections` are pids by path of the endpoint, `seats` whose endpoint a path is, `owners`
    whose process a pid is. One of a process that has gone is the endpoint's owner's own.
    """
    return Counter(
        owners.get(pid, seats[path])
        for path, pids in connections.items()
        if path in seats
        for pid in pids
    )


def too_many_connections(number: int) -> Fault | None:
    """Return the fault of a bot that has so many connections; None if it may."""
    if number <= MOST_CONNECTIONS:
        return None
    return Fault("flood", f"more than {MOST_CONNECTIONS} connections")


def unfinished_messages(growth_bytes: int) -> Fault | None:
    """Return the fault of whoever made a worker grow by so much in a job; None if that may be.

    Its own records of a job are far less; what a bot has sent and not finished lies there too.
    """
    if growth_bytes <= MOST_UNFINISHED_BYTES:
        return None
    return Fault("flood", f"more than {MOST_UNFINISHED_BYTES // _MB} MB of unfinished messages")


def flooder(
    growth_bytes: int,
    touched_bytes: Mapping[str, int],
    connections: Mapping[str, Sequence[int]],
    seats: Mapping[str, int],
    owners: Mapping[int, int],
) -> int | None:
    """Return the seat whose bot made a worker grow by so much; None if that cannot be told.

    `touched_bytes` is the memory first used by taking in what is sent to an endpoint, by its path;
    the other arguments are those of `crowds`. Who sends to another bot's endpoint is the one.
    """
    path = max(touched_bytes, key=touched_bytes.__getitem__, default=None)
    if path is None:
        return None
    most, others = touched_bytes[path], sum(touched_bytes.values()) - touched_bytes[path]
    if 2 * most < growth_bytes and not most >= 3 * others > 0:  # pages can be huge, and few
        return None
    senders = {owners.get(pid, seats[path]) for pid in connections.get(path, ())}
    return next(iter(sorted(senders - {seats[path]})), seats[path])
