"""A mark that all processes of a bot bear: two hard limits that nothing else uses (Linux).

They are inherited and nobody can raise them again. One goes up with the number while the other
goes down, so that no mark can be made into another one: that would raise one of them. So a bot's
process is known wherever it went and whatever it did to its environment; it can only spoil its
mark.
"""

from __future__ import annotations

import re
from contextlib import suppress

_LEAST = 1 << 50
"""Far above what anybody could use up: file locks are not counted, and real time is not allowed."""
_PID_BITS = 22
_SEAT_BITS = 3
_START_BITS = 20
_SUM = 2 * _LEAST + (1 << _PID_BITS + _SEAT_BITS + _START_BITS)
_LINES = re.compile(rb"^Max (?:file locks|realtime timeout) +\w+ +(\w+)", re.MULTILINE)
_FREE = [b"unlimited", b"unlimited"]


def number_of(worker: int, seat: int, start: int) -> int:
    """Return the number of the bot process that is the `start`-th on a seat of a worker's job."""
    number = start % (1 << _START_BITS)
    for value, bits in ((seat, _SEAT_BITS), (worker, _PID_BITS)):
        number = number << bits | value % (1 << bits)
    return number


def worker_of(number: int) -> int:
    """Return the pid of the worker that started the bot process with that number."""
    return number % (1 << _PID_BITS)


def limits_of(number: int) -> dict[str, int]:
    """Return the limits that make a mark of a number, by their names for `prlimit`.

    None where this process is limited in them already, which is usual nowhere.
    """
    first = _LEAST + number
    return {"locks": first, "rttime": _SUM - first} if _limits("self") == _FREE else {}


def number_on(pid: int) -> int | None:
    """Read the number that a process is marked with; None if it has gone or bears none."""
    with suppress(ValueError):  # unlimited, or not to be read
        first, second = map(int, _limits(pid))
        if first + second == _SUM:
            return first - _LEAST
    return None


def is_spoilt(pid: int) -> bool:
    """Whether a process had a mark and took it off, which only a bot's process can have done.

    Where this process is limited itself there are no marks.
    """
    if _limits("self") != _FREE:
        return False
    with suppress(ValueError):
        first, second = map(int, _limits(pid))
        return first + second != _SUM
    return b"unlimited" in (found := _limits(pid)) and found != _FREE


def _limits(pid: int | str) -> list[bytes]:
    with suppress(OSError), open(f"/proc/{pid}/limits", "rb", buffering=0) as file:  # noqa: PTH123
        return _LINES.findall(file.read())
    return []
