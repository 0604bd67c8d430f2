"""Behind `arena reset` and `arena tournament --fresh`: results are deleted, or set aside.

Both hold the lock meanwhile and touch nothing that belongs to another config. Deleting takes only
what the arena itself makes in a results folder, follows no link, and goes from the least to the
most valuable: the same command finishes what a kill has interrupted.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

from arena.errors import UserError
from arena.report.progress.log import FILE_NAME as LOG
from arena.store.files import FILE_NAME, explained
from arena.store.lock import Lock
from arena.store.reader import Reader
from arena.store.store import LOCK_NAME
from arena.tools.results import check_owner, size_of
from arena.tournament import snapshot
from arena.tournament.config import Config
from arena.tournament.entering import SNAPSHOTS
from arena.tournament.runner import LOGS

_LOG_NAME = re.compile(r".+\.stderr\.log(\.old)?")
_SNAPSHOT_NAME = re.compile(r"[0-9a-f]{64}|\.unfinished-.+")
_DATABASE = tuple(
    f"{name}{ending}"
    for name in (f"{FILE_NAME}.new", FILE_NAME)
    for ending in ("-journal", "", "-wal", "-shm")  # each without which the next is worthless
)
_FILES = ("report.html", LOG, f"{LOG}.old", *_DATABASE)
_ALL_BOARDS = 2**62
_SET_ASIDE = re.compile(r"(.+)\.([1-9][0-9]*)")


class Doomed(msgspec.Struct, frozen=True):
    """What a reset is going to delete."""

    games: int | None
    """All that are stored; None if the results cannot be read."""
    why: str
    """Why they cannot be read, else empty."""
    size: int
    """Bytes of all files that are deleted."""


def reset(config: Config, agree: Callable[[Doomed], None]) -> tuple[str, ...] | None:
    """Delete the results of a tournament once `agree` does, which raises if it does not.

    Return what is left because the arena did not make it; None if there were no results. Raises
    `UserError` if the results are not those of `config`, `SurroundingsError` during a run or if
    the machine does not let it.
    """
    folder = Path(config.results)
    with explained(folder):
        if not _has_results(folder):  # then nothing shows that a run made what else is there
            return None
        with _held(folder):
            check_owner(config, still=True)
            agree(_look(folder))
            doomed = tuple(_ours(folder))  # whoever reads results may have made files meanwhile
            links = [f"{path.readlink()} ({path.name})" for path in doomed if path.is_symlink()]
            for path in doomed:
                _delete(path)
            for name in (LOGS, SNAPSHOTS):
                with suppress(OSError):  # there is none, or something is left in it
                    (folder / name).rmdir()
            (folder / LOCK_NAME).unlink()
            left = [str(path) for path in sorted(folder.iterdir())]
            if not left and not folder.is_symlink():
                folder.rmdir()
            return (*left, *links)


def set_aside(config: Config) -> Path | None:
    """Give the results folder of a tournament another name, so that it can begin anew.

    Return its new place, ``NAME.1``, ``NAME.2`` and so on in the order of setting aside; None if
    there are no results. Raises as `reset` does, and `UserError` if the config or one of its bots
    stands in that folder.
    """
    folder = Path(config.results)
    with explained(folder):
        if not _has_results(folder):
            return None
        _require_only_results(config)
        with _held(folder):
            check_owner(config, still=True)
            place = _free_place(folder)
            folder.rename(place)
            return place


def _require_only_results(config: Config) -> None:
    """Raise `UserError` if what a run needs would move with the results folder."""
    results = os.path.realpath(config.results)
    submissions = () if config.submissions is None else (config.submissions,)
    for needed in (config.path, *(bot.path for bot in config.bots), *submissions):
        if Path(os.path.realpath(needed)).is_relative_to(results):
            text = f"{needed} is in the results folder {config.results} and would move with it"
            raise UserError(f"{text}; move it elsewhere, or the results by `output: {{dir: ...}}`")


def set_aside_from(folder: Path) -> str | None:
    """Return the name that a results folder had before it was set aside; None if it never was."""
    named = _SET_ASIDE.fullmatch(folder.name)
    return None if named is None else named[1]


def _has_results(folder: Path) -> bool:
    return any(os.path.lexists(folder / name) for name in _DATABASE)


@contextmanager
def _held(folder: Path) -> Iterator[None]:
    lock = Lock(folder / LOCK_NAME, "change")
    try:
        yield
    finally:
        lock.release()


def _look(folder: Path) -> Doomed:
    """Say what is there."""
    size = sum(map(_size_of, _ours(folder)))
    if not (folder / FILE_NAME).exists():
        return Doomed(0, "", size)
    try:
        with Reader.peek(folder, still=True) as reader:
            games = sum(reader.games_of(match, _ALL_BOARDS) for match in reader.matches())
            return Doomed(games, "", size)
    except Exception as error:  # noqa: BLE001 - who knows what is in a file that is damaged
        return Doomed(None, str(error), size)


def _size_of(path: Path) -> int:
    is_folder = path.is_dir() and not path.is_symlink()
    return size_of(path) if is_folder else path.lstat().st_size


def _ours(folder: Path) -> Iterator[Path]:
    """Yield what the arena made in a results folder, in order of deletion.

    Not the lock, and not the folders that logs and snapshots are in: a folder `bots` may hold a
    person's own bots.
    """
    yield from _ours_in(folder / LOGS, _LOG_NAME, Path.is_file)
    yield from _ours_in(folder / SNAPSHOTS, _SNAPSHOT_NAME, Path.is_dir)
    for path in (folder / name for name in _FILES):
        if path.is_symlink() or path.is_file():
            yield path


def _ours_in(folder: Path, name: re.Pattern[str], is_kind: Callable[[Path], bool]) -> list[Path]:
    if folder.is_symlink():
        return [folder]
    found = sorted(folder.iterdir()) if folder.is_dir() else []
    return [path for path in found if name.fullmatch(path.name) and is_kind(path)]


def _delete(path: Path) -> None:
    """Delete a snapshot, or a file; of a link just the link."""
    if path.is_symlink() or not path.is_dir():
        path.unlink(missing_ok=True)
    else:
        snapshot.remove(path)


def _free_place(folder: Path) -> Path:
    taken = (_SET_ASIDE.fullmatch(other.name) for other in folder.parent.iterdir())
    numbers = [int(named[2]) for named in taken if named and named[1] == folder.name]
    return folder.with_name(f"{folder.name}.{max(numbers, default=0) + 1}")
