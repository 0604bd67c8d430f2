"""What a bot's processes may take together, and how its looks are judged. Pure: numbers in.

The limits of the system hold for one process each; a bot can have many.
"""

from __future__ import annotations

from collections.abc import Callable

from arena.referee.clock import Limits
from arena.referee.fault import Fault, FaultKind
from arena.runtime.tree import Load

_US_PER_MS = 1_000
_BUSY_SHARE = 1.25
"""More than one core; measured over `_BUSY_MS` at least, as some clocks of Linux are coarse."""
_BUSY_MS = 200
_SANDBOX_PROCESSES = 2
"""Those that bubblewrap itself has for each bot."""
_MB = 1_000_000
_SAYINGS = ("MemoryError", "bad_alloc", "OutOfMemoryError", "out of memory", "Out of memory")
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


def is_busy(cpu_us: int, elapsed_ms: int) -> bool:
    """Whether CPU time within a time says that more than one core was kept busy."""
    return elapsed_ms >= _BUSY_MS and cpu_us > _BUSY_SHARE * elapsed_ms * _US_PER_MS


def evidence(load: Load, limits: Limits, *, cpu_us: int, elapsed_ms: int) -> FaultKind | None:
    """Return what a bot may be blamed for if its worker dies now."""
    if load.memory_bytes > limits.memory_bytes:
        return "memory"
    return "flood" if is_busy(cpu_us, elapsed_ms) else None
