"""What the arena's own processes take while they run: memory, open files, threads. Helpers only."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from tests.soak.blows import children

_EVERY_S = 0.2
_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
MIB = 1024 * 1024


@dataclass(frozen=True)
class Footprint:
    """Of all processes of the arena together, without bots."""

    games: int = 0
    """That were stored by then."""
    memory_bytes: int = 0
    files: int = 0
    threads: int = 0

    def __sub__(self, other: Footprint) -> Footprint:
        return Footprint(
            self.games - other.games,
            self.memory_bytes - other.memory_bytes,
            self.files - other.files,
            self.threads - other.threads,
        )


def footprint(games: int, coordinator: int) -> Footprint:
    """Measure a run now; what has gone meanwhile takes nothing."""
    found = [_of_process(pid) for pid in (coordinator, *children(coordinator))]
    return Footprint(games, *map(sum, zip(*found, strict=True)))


def _of_process(pid: int) -> tuple[int, int, int]:
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
        lists = (list(Path(f"/proc/{pid}/{what}").iterdir()) for what in ("fd", "task"))
        files, threads = map(len, lists)
    except (OSError, IndexError):
        return 0, 0, 0
    return pages * _PAGE_BYTES, files, threads


def watched(is_running: Callable[[], bool], look: Callable[[], Footprint]) -> list[Footprint]:
    """Look again and again while something is so."""
    found = []
    while is_running():
        found.append(look())
        time.sleep(_EVERY_S)
    return found


def growth(seen: Iterable[Footprint], first: range, last: range) -> Footprint | None:
    """Return by how much the most within `last` is more than the most within `first`.

    Both are numbers of stored games; a job takes more in its middle than at its ends. None if
    nothing was seen within one of them.
    """
    all_seen = list(seen)
    early = [one for one in all_seen if one.games in first]
    late = [one for one in all_seen if one.games in last]
    return _most(late) - _most(early) if early and late else None


def _most(seen: list[Footprint]) -> Footprint:
    return Footprint(
        max(one.games for one in seen),
        max(one.memory_bytes for one in seen),
        max(one.files for one in seen),
        max(one.threads for one in seen),
    )
