"""Where what was made for bots is kept: in this user's cache, by what it was made of.

A folder appears by a rename when it is whole, and is read-only from then on. Whoever wants one that
is being made waits for it.
"""

from __future__ import annotations

import fcntl
import os
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from arena.errors import SurroundingsError
from arena.runtime.executor import below
from arena.text import refusal
from arena.tournament import snapshot
from arena.tournament.preparing.tools import Maker

_VARIABLE = "XDG_CACHE_HOME"
_UNFINISHED = ".unfinished-"


def kept(kind: str, key: str, maker: Maker, make: Callable[[Path], None]) -> Path:
    """Return the folder of a kind with that key; `make` fills an empty one if there is none yet.

    Raises what `make` does, and `SurroundingsError` if there is no place for it.
    """
    place = _cache() / kind
    folder = place / key
    if folder.is_dir():
        return folder
    try:
        place.mkdir(parents=True, exist_ok=True)
        with _locked(place / f".{key}.lock", maker):
            if not folder.is_dir():
                _make(folder, make)
    except OSError as error:
        text = f"{folder}: {refusal(error)}, or let {_VARIABLE} name a folder with room"
        raise SurroundingsError(text) from error
    return folder


def _cache() -> Path:
    given = Path(os.environ.get(_VARIABLE, ""))
    try:
        return (given if given.is_absolute() else Path.home() / ".cache") / "arena"
    except RuntimeError as error:
        text = f"this user has no home to keep what bots need; let {_VARIABLE} name a folder"
        raise SurroundingsError(text) from error


def _make(folder: Path, make: Callable[[Path], None]) -> None:
    unfinished = f"{_UNFINISHED}{folder.name}-"
    for leftover in folder.parent.glob(f"{unfinished}*"):
        snapshot.remove(leftover)
    new = Path(tempfile.mkdtemp(prefix=unfinished, dir=folder.parent))
    try:
        new.chmod(0o755)  # bots may be users of their own
        make(new)
        close(new)
        new.rename(folder)
    finally:
        if new.exists():
            snapshot.remove(new)


def close(folder: Path) -> None:
    """Make all in a folder read-only, whatever it was before."""
    folder.chmod(0o555)
    for entry in below(folder):
        if not entry.is_symlink():
            mode = entry.stat().st_mode
            Path(entry).chmod(0o555 if stat.S_ISDIR(mode) or mode & 0o100 else 0o444)


@contextmanager
def _locked(path: Path, maker: Maker) -> Iterator[None]:
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644)
    try:
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                maker.wait()
        yield
    finally:
        os.close(file)
