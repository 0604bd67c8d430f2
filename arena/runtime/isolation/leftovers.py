"""What bots with users of their own leave with the system when they are gone: it goes too.

Other bots are the user that runs the arena, so that nobody can tell what is theirs.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from arena.runtime.isolation.users import own_users

_SHARED_FOLDERS = ("/dev/shm", "/tmp", "/var/tmp")  # noqa: S108 - looked at, not written to
_REMOVE = 0
"""IPC_RMID of Linux."""


def remove_of(worker: int, remove: Callable[[Path], None]) -> None:
    """Remove what bots of the worker with that pid left in shared folders and shared memory.

    `remove` removes a file, or a folder with all that is in it. Nothing is looked for where bots
    have no users of their own.
    """
    users = own_users(worker)
    paths, segments = list(_paths_of(users)), list(_segments_of(users))
    if (paths or segments) and users.isdisjoint(_present_users()):  # else it is not over
        for path in paths:
            remove(path)
        _remove_segments(segments)


def _present_users() -> set[int]:
    """Return the users that have processes, in containers too."""
    found = set()
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            found.add(entry.stat().st_uid)
    return found


def _paths_of(users: Collection[int]) -> Iterator[Path]:
    for folder in _SHARED_FOLDERS if users else ():
        with suppress(OSError), os.scandir(folder) as entries:
            for entry in entries:
                with suppress(OSError):
                    if entry.stat(follow_symlinks=False).st_uid in users:
                        yield Path(entry.path)


def _remove_segments(segments: Iterable[tuple[str, int]]) -> None:
    """Remove shared memory, queues of messages and semaphores of System V."""
    libc = ctypes.CDLL(None)
    for kind, number in segments:
        if kind == "sem":
            libc.semctl(number, 0, _REMOVE)
        else:
            getattr(libc, f"{kind}ctl")(number, _REMOVE, None)


def _segments_of(users: Collection[int]) -> Iterator[tuple[str, int]]:
    for kind in ("shm", "msg", "sem") if users else ():
        with suppress(OSError):
            head, *rows = Path(f"/proc/sysvipc/{kind}").read_text().splitlines()
            creator = head.split().index("cuid")
            for _, number, *row in map(str.split, rows):
                if int(row[creator - 2]) in users:
                    yield kind, int(number)
