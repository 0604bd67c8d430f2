"""Behind `arena list`: every tournament that has results below a folder, and how it stands.

Looking takes, changes and leaves behind nothing. What is wrong with one of them is said in its own
row and hides no other.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from arena.errors import ArenaError
from arena.referee.record import name_of
from arena.store.files import FILE_NAME
from arena.store.lock import Holder, holder
from arena.store.reader import Reader
from arena.store.rows import Tournament
from arena.store.store import LOCK_NAME
from arena.tools.counted import Totals, count_games
from arena.tools.reset import set_aside_from
from arena.tools.results import Configs, config_at, results_folders, size_of
from arena.tournament.config import Config

_ALL_BOARDS = 2**62

State = Literal[
    "running",
    "stopping",
    "busy",
    "complete",
    "unfinished",
    "closed",
    "set aside",
    "unknown",
    "unreadable",
]
"""The first three: somebody holds the results; busy: to change them without playing a game.
Unknown: the config does not tell whether they are complete."""
_HELD: dict[str, State] = {"run": "running", "stopping": "stopping"}


class Listed(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament's results as they are now."""

    name: str
    config: str | None = None
    """The config file, absolute; None if it is not known."""
    results: str
    """The results folder, absolute."""
    state: State
    holder: str | None = None
    """For people: who holds the results, such as ``pid 4711``."""
    pid: int | None = None
    """Of the holder, if it is a process of this machine."""
    games: int | None = None
    """Stored games that count."""
    scheduled: int | None = None
    """None where the config cannot tell."""
    void: int = 0
    """Games that stay void."""
    withdrawn: tuple[str, ...] = ()
    """Bots that play no more."""
    left_out: tuple[str, ...] = ()
    """Bots that the last run could not start."""
    size: int
    """Bytes of all files in the results folder."""
    changed: datetime | None
    """When games were last stored, in UTC."""
    why: str | None = None
    """Why something of this cannot be told."""


class Listing(msgspec.Struct, frozen=True):
    """All tournaments that were found."""

    schema: str
    folder: str
    """Where was searched, absolute."""
    tournaments: tuple[Listed, ...]
    """In order of their results folders."""


def list_tournaments(top: Path) -> Listing:
    """Look for results in and below `top`, and for those of configs there."""
    top = top.absolute()
    configs = cache(config_at)
    found = results_folders(top, configs)
    return Listing("arena.list/1", str(top), tuple(_look(folder, configs) for folder in found))


def _look(folder: Path, configs: Configs) -> Listed:
    """Look at the results in a folder; once more if a run begins while they are read."""
    try:
        held = holder(folder / LOCK_NAME)
        seen = _read(folder, held, configs)
        began = holder(folder / LOCK_NAME) if held is None else None
        return seen if began is None else _read(folder, began, configs)
    except Exception as error:  # noqa: BLE001 - who knows what is in a file that is damaged
        why = str(error) if isinstance(error, ArenaError) else f"{type(error).__name__}: {error}"
        return _listed(folder, state="unreadable", why=why)


def _read(folder: Path, held: Holder | None, configs: Configs) -> Listed:
    with Reader.peek(folder, still=held is None) as reader:
        stored = reader.tournament()
        if stored is None:
            found = _listed(folder, state="unfinished", games=0, why="no run of it has begun yet")
        else:
            found = _known(folder, stored, reader, configs(stored.config_path))
    if held is None:
        return found
    return replace(found, state=_HELD.get(held.doing, "busy"), holder=held.place, pid=held.pid)


def _known(folder: Path, stored: Tournament, reader: Reader, config: Config | str) -> Listed:
    described = _description(config, folder)
    if isinstance(described, Config):
        totals = count_games(reader, described.boards)
        state, scheduled, why = _state(stored, totals), totals.scheduled, None
    else:
        totals = count_games(reader, _ALL_BOARDS)
        state, scheduled, why = _state(stored, None), None, described
        if set_aside_from(folder) == stored.name:
            state, why = "set aside", None
    current = {str(bot) for bot in reader.bots() if bot.current}
    return _listed(
        folder,
        name=stored.name,
        config=stored.config_path,
        state=state,
        games=totals.games,
        scheduled=scheduled,
        void=totals.void,
        withdrawn=tuple(name_of(w.version) for w in reader.withdrawals() if w.version in current),
        left_out=tuple(map(name_of, reader.left_out())),
        why=why,
    )


def _description(config: Config | str, folder: Path) -> Config | str:
    """Return a config that describes the results in `folder`, or why it does not."""
    if isinstance(config, str) or os.path.realpath(config.results) == os.path.realpath(folder):
        return config
    return f"the results of its config are in {config.results}"


def _state(stored: Tournament, totals: Totals | None) -> State:
    if stored.revealed:
        return "closed"
    if totals is None:
        return "unknown"
    return "complete" if totals.complete else "unfinished"


def _listed(folder: Path, **known: Any) -> Listed:
    defaults = {"name": folder.name, "results": str(folder)}
    return Listed(**{**defaults, **known}, size=size_of(folder), changed=_changed(folder))


def _changed(folder: Path) -> datetime | None:
    files = (folder / FILE_NAME, folder / f"{FILE_NAME}-wal")
    times = [file.stat().st_mtime for file in files if file.exists()]
    return datetime.fromtimestamp(max(times), UTC) if times else None
