"""Logs that never outgrow a disk, for every layer; nothing of ours may be imported here."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import TextIO

_LARGEST_BYTES = 4 * 1024 * 1024


def append_log(path: Path, text: str) -> None:
    """Add to a log, making its folder where needed; a full log makes room and is kept once.

    Several processes may add to one log.
    """
    if not text:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    is_added = False
    while not is_added:
        with path.open("a", encoding="utf-8") as log:
            fcntl.flock(log, fcntl.LOCK_EX)  # until it is closed
            is_added = _has_room(log, path)
            if is_added:
                log.write(text)


def _has_room(log: TextIO, path: Path) -> bool:
    """Whether a locked log may grow; a full one is moved away, as others may just have done."""
    opened = os.fstat(log.fileno())
    try:
        is_there = os.path.samestat(opened, path.stat())
    except FileNotFoundError:
        is_there = False
    if is_there and opened.st_size > _LARGEST_BYTES:
        path.replace(path.with_name(f"{path.name}.old"))
        return False
    return is_there
