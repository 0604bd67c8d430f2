"""A page of memory that shows a coordinator which games its worker plays, even after that died.

The number of seats; one byte for each seat, what its bot may be blamed for; one byte for each game
of the job, by its place there. No message is needed, so none can be lost.
"""

from __future__ import annotations

import mmap
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import FileIO
from typing import Protocol, get_args

from arena.referee.fault import FaultKind

RUNNING, OVER = 1, 2
"""Of a game; one that was not begun is 0."""


_KINDS: tuple[FaultKind, ...] = get_args(FaultKind)
"""A seat's byte is the number of the kind here, from 1; 0: its bot may be blamed for nothing."""

Blame = tuple[int, FaultKind]
"""A seat, and what its bot may be blamed for if a game cannot be played to its end."""


class GameMarks(Protocol):
    """Where it is noted how far each game of a job is."""

    def __setitem__(self, place: int, mark: int, /) -> None:
        """Note how far the game at that place is: running or over."""


class Marks:
    """The worker's end."""

    def __init__(self, memory: bytearray | mmap.mmap, seats: int) -> None:
        """Begin with nothing noted, in memory that is all zeros."""
        memory[0] = seats
        self._memory = memory
        self._games = 1 + seats

    def __setitem__(self, place: int, mark: int, /) -> None:
        """Note how far the game at that place is: running or over."""
        self._memory[self._games + place] = mark

    def blame(self, seat: int, kind: FaultKind | None) -> None:
        """Note what a bot may be blamed for as things stand now; None: for nothing."""
        self._memory[1 + seat] = 0 if kind is None else 1 + _KINDS.index(kind)

    def blamed(self) -> tuple[Blame, ...]:
        """Return what stands there now, by seat."""
        return _blamed(bytes(self._memory[: self._games]))


class Page:
    """The coordinator's end."""

    def __init__(self) -> None:
        """Make an empty page; raises `OSError` if the machine gives none."""
        self._file = _memory()

    def fileno(self) -> int:
        """Return the descriptor that the worker is to inherit."""
        return self._file.fileno()

    def clear(self) -> None:
        """Forget the last job."""
        self._file.truncate(0)

    def running(self) -> tuple[int, ...]:
        """Return the places of the games that are running, or were when the worker died."""
        marks = self._read()
        games = marks[1 + marks[0] :] if marks else b""
        return tuple(place for place, mark in enumerate(games) if mark == RUNNING)

    def blamed(self) -> tuple[Blame, ...]:
        """Return what each bot of the job may be blamed for, as it was noted last."""
        marks = self._read()
        return _blamed(marks[: 1 + marks[0]]) if marks else ()

    def _read(self) -> bytes:
        return os.pread(self._file.fileno(), os.fstat(self._file.fileno()).st_size, 0)

    def close(self) -> None:
        """Give the memory back."""
        self._file.close()


def _blamed(head: bytes) -> tuple[Blame, ...]:
    """Read the bytes before those of the games."""
    return tuple((seat, _KINDS[kind - 1]) for seat, kind in enumerate(head[1:]) if kind)


def _memory() -> FileIO:
    """Make a file without a name: in memory, or in the temporary folder where that cannot be."""
    if hasattr(os, "memfd_create"):
        return FileIO(os.memfd_create("arena"), "r+")
    return tempfile.TemporaryFile(buffering=0)


@contextmanager
def marks_on(page: int | None, games: int, seats: int) -> Iterator[Marks]:
    """Yield the marks of a job of so many games on the page with that descriptor, or on none.

    Raises `OSError` if there is no room.
    """
    empty = bytearray(1 + seats + games)
    if page is None or not games:
        yield Marks(empty, seats)
        return
    os.pwrite(page, empty, 0)  # so that there is room: a full disk must not be found later
    with mmap.mmap(page, len(empty)) as memory:
        yield Marks(memory, seats)
