"""Looking for processes by a mark in their environment, which all their children inherit."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

MARK = "ARENA_TEST_MARK"
PATIENCE_S = 60.0
"""Far more than anything here takes; only a failing test waits so long."""


def new_mark() -> str:
    return uuid4().hex


def marked(mark: str) -> list[int]:
    """Return all living processes with the mark (a dead one that nobody reaped has none)."""
    wanted = f"{MARK}={mark}".encode()
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with contextlib.suppress(OSError):
                if wanted in (folder / "environ").read_bytes().split(b"\0"):
                    found.append(int(folder.name))
    return found


def caretakers(place: Path) -> list[int]:
    """Return those whose private folders would be here; there may be others on the machine."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            is_one = b"arena.runtime.caretaker" in (entry / "cmdline").read_bytes()
            if is_one and str(place).encode() in (entry / "environ").read_bytes():
                found.append(int(entry.name))
    return found


def wait_until(condition: Callable[[], bool]) -> bool:
    """Wait until something is so; False if it did not become so."""
    end = time.monotonic() + PATIENCE_S
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True
