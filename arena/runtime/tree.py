"""All processes of one bot: found wherever they went, measured, stopped, killed.

What may live here: processes as the system shows them. What may not: games, sockets.

A child whose parent has ended becomes a child of the worker (`adopting`), so nothing can run away
from it; whose it was is told by its mark (isolation/marks.py).
"""

from __future__ import annotations

import ctypes
import os
import re
import signal
import sys
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, suppress

import msgspec

from arena.runtime.isolation.marks import is_spoilt, number_on

_PR_SET_CHILD_SUBREAPER, _PR_GET_CHILD_SUBREAPER = 36, 37
_MOST_LOOKS = 50
"""While some are stopped others may begin: it is looked again until there are none."""
_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
_TICK_US = 1_000_000 // os.sysconf("SC_CLK_TCK")
_KIB = 1024
_MOST_WAIT = 8
"""Times as long as a thread ran."""
_PROPORTIONAL = re.compile(rb"^Pss: +(\d+) kB", re.MULTILINE)


class Load(msgspec.Struct, frozen=True):
    """What all processes of a bot take together."""

    memory_bytes: int
    """Memory that they share counts once for each, unless that was looked at more closely."""
    cpu_us: int
    """CPU time since they began, of those that are there and those they have waited for."""
    processes: int
    """And threads."""
    ended_cpu_us: int = 0
    """Of `cpu_us`, that of processes which have ended and were waited for."""


@contextmanager
def adopting() -> Iterator[None]:
    """Become the parent of all descendants whose parents end; at the end, none of them is left.

    Elsewhere than on Linux nothing can be adopted.
    """
    if sys.platform != "linux":
        yield
        return
    libc = ctypes.CDLL(None)
    before = ctypes.c_int()
    libc.prctl(_PR_GET_CHILD_SUBREAPER, ctypes.byref(before))
    libc.prctl(_PR_SET_CHILD_SUBREAPER, 1)
    known = set(children(os.getpid()))
    try:
        yield
    finally:
        _kill_and_wait(lambda: _strangers(known))
        libc.prctl(_PR_SET_CHILD_SUBREAPER, before.value)


def _strangers(known: set[int]) -> Iterator[int]:
    """Yield the adopted processes, and theirs: children in a session that is not the arena's."""
    own = os.getsid(0)
    for pid in children(os.getpid()):
        with suppress(ProcessLookupError):
            if pid not in known and os.getsid(pid) != own:
                yield from family(pid)


def children(pid: int) -> list[int]:
    """Return the pids of a process's children, of all its threads; empty if it has gone."""
    found: list[int] = []
    with suppress(OSError):
        for thread in _threads(pid):
            found += map(int, _read(f"/proc/{pid}/task/{thread}/children").split())
    return found


def _threads(pid: int) -> list[str]:
    return os.listdir(f"/proc/{pid}/task")  # noqa: PTH208 - names will do


def family(pid: int) -> Iterator[int]:
    """Yield a process and its descendants."""
    yield pid
    for child in children(pid):
        yield from family(child)


def of_bot(root: int, number: int, adopted: Iterable[int] | None = None) -> list[int]:
    """Return the processes of a bot: those below its first one, and adopted ones with its mark.

    `adopted` are those that this process has adopted, if that was just looked at (`reap`).
    """
    found = dict.fromkeys(family(root))
    for pid in children(os.getpid()) if adopted is None else adopted:
        if pid not in found and number_on(pid) == number:
            found |= dict.fromkeys(family(pid))
    return list(found)


def load(pids: Iterable[int]) -> Load:
    """Measure processes; those that have gone take nothing."""
    memory = cpu = ended = processes = 0
    for pid in pids:
        with suppress(OSError, IndexError, ValueError):
            fields = _read(f"/proc/{pid}/stat").rpartition(b")")[2].split()
            memory += int(fields[21]) * _PAGE_BYTES
            cpu += cpu_us(pid)
            ended += (int(fields[13]) + int(fields[14])) * _TICK_US
            processes += int(fields[17])
    return Load(memory, cpu + ended, processes, ended)


def waited_us(pids: Iterable[int]) -> int:
    """Return for how long the present threads of processes could have run and had no core.

    Of threads that only pass something on now and then little is counted, however late they wake.
    """
    waited_ns = 0
    for pid in pids:
        with suppress(OSError, ValueError):  # also where the system does not tell
            for thread in _threads(pid):
                ran, waited, *_ = _read(f"/proc/{pid}/task/{thread}/schedstat").split()
                waited_ns += min(int(waited), _MOST_WAIT * int(ran))
    return waited_ns // 1000


def cpu_us(pid: int) -> int:
    """Return the CPU time of one process with all its threads; 0 if it has gone."""
    try:
        return time.clock_gettime_ns(~pid << 3 | 2) // 1000  # how Linux numbers such clocks
    except OSError:
        return 0


def proportional_memory(pids: Iterable[int]) -> int:
    """Return the bytes of memory in use, what is shared divided among those that share it.

    That takes the system longer. A process of which it does not tell counts as a whole.
    """
    total = 0
    for pid in pids:
        with suppress(OSError):
            shown = _PROPORTIONAL.search(_read(f"/proc/{pid}/smaps_rollup"))
            total += int(shown[1]) * _KIB if shown else load([pid]).memory_bytes
    return total


def send(pids: Iterable[int], number: signal.Signals) -> None:
    """Send a signal to all of some processes that are still there."""
    for pid in pids:
        with suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)


def stop_all(look: Callable[[], Iterable[int]]) -> set[int]:
    """Stop what `look` finds, and whatever these begin meanwhile; return all of them."""
    stopped: set[int] = set()
    for _ in range(_MOST_LOOKS):
        found = [pid for pid in look() if pid not in stopped]
        if not found:
            break
        send(found, signal.SIGSTOP)
        stopped |= set(found)
    return stopped


def kill_all(look: Callable[[], Iterable[int]]) -> None:
    """Kill what `look` finds; stopped first, so that none can begin another one unseen."""
    send(stop_all(look), signal.SIGKILL)


def reap(roots: Collection[int]) -> list[int]:
    """Bury adopted processes that have ended; kill those that took off their mark; return all.

    Whose these are nobody knows. The bots' first processes (`roots`) are left to whoever started
    them. Waits for nothing.
    """
    adopted = [pid for pid in children(os.getpid()) if pid not in roots]
    for pid in adopted:
        number = number_on(pid)
        if number is None and is_spoilt(pid):
            kill_all(lambda pid=pid: family(pid))  # type: ignore[misc]
        elif number is None:
            continue  # not a bot's
        _bury(pid, os.WNOHANG)
    return adopted


def _kill_and_wait(look: Callable[[], Iterable[int]]) -> None:
    """Kill what `look` finds and wait until nothing of it is left; what it leaves is adopted."""
    for _ in range(_MOST_LOOKS):
        found = list(look())
        if not found:
            return
        kill_all(lambda found=found: found)  # type: ignore[misc]
        for pid in found:
            _bury(pid, 0)


def _bury(pid: int, flags: int) -> None:
    with suppress(ChildProcessError):  # not adopted yet, or not a child of ours at all
        os.waitpid(pid, flags)


def _read(path: str) -> bytes:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        return os.read(descriptor, 1 << 16)
    finally:
        os.close(descriptor)
