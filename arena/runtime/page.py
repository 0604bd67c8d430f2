"""A page of memory that shows a coordinator which games its worker plays, even after that died.

One byte for each game of the job, by its place there: no message is needed, so none can be lost.
"""

from __future__ import annotations

import mmap
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import FileIO
from typing import Protocol

RUNNING, OVER = 1, 2
"""Of a game; one that was not begun is 0."""


class Marks(Protocol):
    """Where it is noted how far each game of a job is."""

    def __setitem__(self, place: int, mark: int, /) -> None:
        """Note how far the game at that place is: running or over."""


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
        self._file.seek(0)
        marks = self._file.read()
        return tuple(place for place, mark in enumerate(marks) if mark == RUNNING)

    def close(self) -> None:
        """Give the memory back."""
        self._file.close()


def _memory() -> FileIO:
    """Make a file without a name: in memory, or in the temporary folder where that cannot be."""
    if hasattr(os, "memfd_create"):
        return FileIO(os.memfd_create("arena"), "r+")
    return tempfile.TemporaryFile(buffering=0)


@contextmanager
def marks_on(page: int | None, games: int) -> Iterator[Marks]:
    """Yield the marks of a job's games on the page with that descriptor, or on none.

    Raises `OSError` if there is no room.
    """
    if page is None or not games:
        yield bytearray(games)
        return
    os.pwrite(page, bytes(games), 0)  # so that there is room: a full disk must not be found later
    with mmap.mmap(page, games) as marks:
        yield marks
