"""Which user a bot is: as root one of its own, so that limits hold and bots are kept apart.

An ordinary user cannot make others of itself; its bots are that user.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path

_FIRST_USER = 1_900_000_000
"""Far from all users that systems give out."""
_SEAT_BITS = 3
_FEWEST_USERS = 1 << 16
_INITIAL_NAMESPACE = 0xEFFFFFFC
"""How Linux numbers the namespace of pids that all others are in."""
_READS_ALL = 1 << 2
_BECOMES_OTHERS = 1 << 6 | 1 << 7
"""Capabilities of Linux: CAP_DAC_READ_SEARCH; CAP_SETGID and CAP_SETUID."""


def can_be_others() -> bool:
    """Whether the arena can give its bots users of their own."""
    return os.geteuid() == 0 and _has(_BECOMES_OTHERS) and _last_user() >= _FEWEST_USERS


def can_read_all() -> bool:
    """Whether the arena can let others read whatever it can read itself."""
    return _has(_READS_ALL)


def user_of(worker: int, seat: int) -> int:
    """Return a user that no other bot has as long as the worker with that pid lives."""
    number = worker << _SEAT_BITS | seat % (1 << _SEAT_BITS)
    last = _last_user()
    if last > _FIRST_USER + (1 << 26):
        return _FIRST_USER + number
    return last // 2 + number % (last // 2)  # in a container that has only some users


def own_users(worker: int) -> frozenset[int]:
    """Return the users that only bots of the worker with that pid can be or have been.

    Empty where bots have none, or might share them with somebody: in a container another one can
    have the same pid.
    """
    if not can_be_others() or not _knows_all_pids():
        return frozenset()
    users = (user_of(worker, seat) for seat in range(1 << _SEAT_BITS))
    return frozenset(user for user in users if user >= _FIRST_USER)


def is_open_to_all(paths: Iterable[str]) -> bool:
    """Whether every user can reach and read these files and folders."""
    return all(_is_open(Path(path).resolve()) for path in paths)


def can_be_reached(path: str) -> bool:
    """Whether every user may go through the folders that lead there."""
    return all(folder.stat().st_mode & 0o001 for folder in Path(path).resolve().parents)


def _is_open(path: Path) -> bool:
    try:
        others = [folder.stat().st_mode for folder in path.parents]
        return all(mode & 0o001 for mode in others) and bool(path.stat().st_mode & 0o004)
    except OSError:
        return False


def _knows_all_pids() -> bool:
    """Whether pids here are those of the machine, and not of a container."""
    try:
        return Path("/proc/self/ns/pid").stat().st_ino == _INITIAL_NAMESPACE
    except OSError:
        return False


def _has(capabilities: int) -> bool:
    try:
        status = Path("/proc/self/status").read_text()
    except OSError:
        return False
    found = re.search(r"^CapEff:\t([0-9a-f]+)$", status, re.MULTILINE)
    return found is not None and int(found[1], 16) & capabilities == capabilities


def _last_user() -> int:
    """Return the highest number of a user here, from 0 without a gap."""
    try:
        inside, _, count = map(int, Path("/proc/self/uid_map").read_text().split()[:3])
    except (OSError, ValueError):
        return 0
    return count - 1 if inside == 0 else 0
