"""One arena for each tournament: a lock on a file that the system releases when we die.

A POSIX record lock, not `flock`: a worker that was forked from us and outlives us must not go on
holding it, and anybody can ask the system who does. A trap comes with it: a process that has the
lock loses it when it closes the file anywhere. So whoever may hold it must not call `holder`.
"""

from __future__ import annotations

import fcntl
import os
import struct
import sys
from pathlib import Path
from typing import Literal

import msgspec

from arena.errors import SurroundingsError
from arena.text import visible

Doing = Literal["run", "stopping", "change"]
"""What a lock is held for: a run, one that was asked to stop, or a change that plays no game."""

_RUNNING = "another arena is running this tournament ({}); to stop it: `arena stop CONFIG`"
_ELSE = {
    "stopping": "a run of this tournament is about to end ({}); wait for it",
    "change": "another arena is changing these results ({}); wait for it",
}
_LONGEST_NOTE = 500
_LINUX = (struct.Struct("hhqqi0q"), 0, 4)
_MACOS = (struct.Struct("qqihh0q"), 3, 2)
_LAYOUT, _KIND, _PID = _LINUX if sys.platform == "linux" else _MACOS
"""C's ``struct flock``, and where in it are the kind of lock and the pid of its holder."""


class Holder(msgspec.Struct, frozen=True):
    """The process that holds a lock."""

    pid: int | None
    """By which it can be signalled from here; None: it is on another machine or out of sight."""
    place: str
    """For people: ``pid 4711``, with the machine's name if it is another one."""
    doing: str
    """What it holds the lock for, usually one of `Doing`; empty if it does not say."""

    @property
    def refusal(self) -> str:
        """Why nobody else can have the lock now, and what to do."""
        return _ELSE.get(self.doing, _RUNNING).format(self.place)


class Lock:
    """Held from creation until `release` or the end of the process, however it ends."""

    def __init__(self, path: Path, doing: Doing = "run") -> None:
        """Take the lock or raise `SurroundingsError` that says who has it."""
        while not self._take(path):
            pass  # it was released, moved or deleted at this very moment
        self.note(doing)

    def note(self, doing: Doing) -> None:
        """Let others know what we are doing."""
        text = f"{os.getpid()} {_here()} {doing}\n".encode()
        os.pwrite(self._file, text, 0)
        os.ftruncate(self._file, len(text))

    def release(self) -> None:
        """Let others run this tournament."""
        os.close(self._file)

    def _take(self, path: Path) -> bool:
        """Lock the file that is at `path` now; False if it is to be tried again."""
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o644)
        try:
            fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _is_at(self._file, path):
                return True
        except (BlockingIOError, PermissionError) as busy:
            held = _holder(self._file)
            if held is not None:
                os.close(self._file)
                raise SurroundingsError(held.refusal) from busy
        except BaseException:
            os.close(self._file)
            raise
        os.close(self._file)
        return False


def holder(path: Path) -> Holder | None:
    """Say who holds the lock on `path`, without taking it; None if nobody does.

    The system knows, not the file: that may name a run which is long dead, under a number that is
    another process's now.
    """
    try:
        file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except (FileNotFoundError, NotADirectoryError):
        return None
    try:
        return _holder(file)
    finally:
        os.close(file)


def _holder(file: int) -> Holder | None:
    asked = [0] * 5
    asked[_KIND] = fcntl.F_WRLCK
    found = _LAYOUT.unpack(fcntl.fcntl(file, fcntl.F_GETLK, _LAYOUT.pack(*asked)))
    if found[_KIND] == fcntl.F_UNLCK:
        return None
    note = os.pread(file, _LONGEST_NOTE, 0).decode("utf-8", "replace")
    return _who(found[_PID], note.partition("\n")[0], _here())


def _who(pid: int, note: str, here: str) -> Holder:
    """Put together what the system says and what the holder wrote.

    Only where both agree it is sure that `pid` is a process of ours: it may be one of another
    machine that shares the disk, and is no positive number for one in another container.
    """
    written, where, doing = (*visible(note).split(" "), "", "", "")[:3]
    if (written, where) == (str(pid), here):
        return Holder(pid, f"pid {pid}", doing)
    if where not in ("", here):
        return Holder(None, f"pid {written} on {where}", doing)
    return Holder(None, f"pid {pid}" if pid > 0 else "a process out of sight", doing)


def _is_at(file: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file), path.stat(follow_symlinks=False))
    except FileNotFoundError:
        return False


def _here() -> str:
    return visible(os.uname().nodename).replace(" ", "_")
