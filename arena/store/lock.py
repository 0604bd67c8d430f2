"""One arena for each tournament: a lock on a file that the system releases when we die."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from arena.errors import SurroundingsError


class Lock:
    """Held from creation until `release` or the end of the process, however it ends.

    A POSIX record lock, not `flock`: a worker that was forked from us and outlives us must not
    go on holding it.
    """

    def __init__(self, path: Path) -> None:
        """Take the lock or raise `SurroundingsError` that says who has it."""
        self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError) as busy:
            pid = os.read(self._file, 20).decode("ascii", "replace").strip() or "unknown"
            os.close(self._file)
            text = f"another arena is running this tournament (pid {pid})"
            raise SurroundingsError(f"{text}; wait for it or stop it first") from busy
        os.ftruncate(self._file, 0)
        os.pwrite(self._file, f"{os.getpid()}\n".encode(), 0)

    def release(self) -> None:
        """Let others run this tournament."""
        os.close(self._file)
