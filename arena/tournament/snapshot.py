"""Copies of bots as they were when they entered: what plays does not change under anyone's hands.

A snapshot is a folder named by its content. It appears by a rename, so that a kill leaves no
half of one. It is read-only, its folders too: a bot that kept notes in it would hand what it saw
of a board in one seating to its process in the other.
"""

from __future__ import annotations

import hashlib
import os
import stat
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO
from uuid import uuid4

import msgspec

from arena.errors import SurroundingsError, UserError
from arena.text import refusal

MAX_BYTES = 50_000_000
"""Most a bot may hold, all files together."""
MAX_FILES = 10_000
MAX_PATH = 500
"""Bytes of the path of a folder in it: none lies deeper than half of that."""

_FORMAT = b"arena-snapshot/1\n"
_UNFINISHED = ".unfinished-"
_CHUNK = 1 << 20
_READ_ONLY_FOLDER = 0o555
_OPEN_FOLDER = 0o755
_LEFT_OUT_FOLDERS = {
    *(".git", ".hg", ".svn", ".idea", ".vscode", ".venv", "venv", ".tox", ".nox", "__pycache__"),
    *(".mypy_cache", ".pytest_cache", ".ruff_cache", ".hypothesis", ".ipynb_checkpoints"),
}
_LEFT_OUT_FILES = {".DS_Store", "Thumbs.db", ".git"}
_VENV_MARK = "pyvenv.cfg"


class Snapshot(msgspec.Struct, frozen=True):
    """A read-only copy of a bot."""

    hash: str
    """SHA-256 of its content, lower-case hex."""
    folder: str
    """Where it stands, absolute; a bot that is one file stands alone in it."""


def take(source: Path, snapshots: Path) -> Snapshot:
    """Copy the bot at `source`, a file or folder, into the folder `snapshots`.

    Version control, caches and virtual environments are left out. The same content gives the same
    hash wherever it stands and whenever it is taken; a snapshot that is there already and whole is
    used again. A link as `source` itself is followed; raises `UserError` for links and special
    files in it and for bots that are too large.
    """
    try:
        return _take(source.resolve(), source.name, snapshots)
    except OSError as error:
        raise SurroundingsError(f"{snapshots}: {refusal(error)}; nothing was changed") from error


def _take(source: Path, name: str, snapshots: Path) -> Snapshot:
    snapshots.mkdir(parents=True, exist_ok=True)
    for leftover in snapshots.glob(_UNFINISHED + "*"):
        remove(leftover)
    unfinished = Path(tempfile.mkdtemp(prefix=_UNFINISHED, dir=snapshots))
    try:
        digest = _copy(_files(source, name), unfinished)
        folder = snapshots / digest
        if not (folder.is_dir() and _copy(_files(folder, ""), None) == digest):
            if folder.exists():
                remove(folder)
            unfinished.rename(folder)
    finally:
        if unfinished.exists():
            remove(unfinished)
    return Snapshot(digest, str(folder.absolute()))


def hash_of(source: Path) -> str:
    """Return what the hash of a snapshot of the bot at `source` would be; raises as `take` does."""
    return _copy(_files(source.resolve(), source.name), None)


def remove(folder: Path) -> None:
    """Remove a snapshot, or what is left of one, however deep folders are nested in it.

    Each folder is made writable and brought to the top before it is emptied: no path gets long.
    """
    folder.chmod(_OPEN_FOLDER)
    waiting = [folder]
    while waiting:
        here = waiting.pop()
        with os.scandir(here) as entries:
            found = list(entries)
        for entry in found:
            path = Path(entry.path)
            if entry.is_dir(follow_symlinks=False):
                path.chmod(_OPEN_FOLDER)
                waiting.append(path.rename(folder / uuid4().hex))
            else:
                path.unlink()
        if here != folder:
            here.rmdir()
    folder.rmdir()


def _copy(files: Iterable[tuple[str, Path]], target: Path | None) -> str:
    """Copy all files, given with their relative paths, if there is a `target`; return their hash.

    The hash is over the format's name and then for each file, in order of the paths as bytes: the
    path's length and the path, 1 if executable else 0, the size, the content's SHA-256; numbers as
    8 bytes, big-endian.
    """
    total = hashlib.sha256(_FORMAT)
    room = MAX_BYTES
    for relative, file in files:
        name = os.fsencode(relative)
        with _open(file) as content:
            executable = bool(os.fstat(content.fileno()).st_mode & stat.S_IXUSR)
            size, digest = _copy_file(content, target and target / relative, room)
        room -= size
        total.update(len(name).to_bytes(8) + name)
        total.update(executable.to_bytes(8) + size.to_bytes(8) + digest)
        if target is not None:
            (target / relative).chmod(0o555 if executable else 0o444)
    if target is not None:
        for folder, _, _ in os.walk(target, topdown=False):
            Path(folder).chmod(_READ_ONLY_FOLDER)
    return total.hexdigest()


def _copy_file(content: BinaryIO, copy: Path | None, room: int) -> tuple[int, bytes]:
    """Read one file that must fit into `room` bytes, copying it; return its size and SHA-256."""
    digest = hashlib.sha256()
    size = 0
    if copy is not None:
        copy.parent.mkdir(parents=True, exist_ok=True)
    with (copy or Path(os.devnull)).open("wb") as out:
        while chunk := content.read(_CHUNK):
            size += len(chunk)
            if size > room:
                raise UserError(f"{content.name}: the bot is larger than {MAX_BYTES} bytes")
            digest.update(chunk)
            out.write(chunk)
    return size, digest.digest()


def _files(source: Path, name: str) -> Iterator[tuple[str, Path]]:
    """(Relative path, file) of all files of a bot in order of the paths as bytes.

    `name` is the relative path where `source` is itself a file.
    """
    if not source.is_dir():
        yield name, source
        return
    found: list[Path] = []
    for folder, folders, names in os.walk(source, onerror=_fail):
        here = Path(folder)
        if len(os.fsencode(here)) - len(os.fsencode(source)) > MAX_PATH:
            raise UserError(f"{source}: has folders whose path is longer than {MAX_PATH} bytes")
        folders[:] = [name for name in folders if not _is_left_out(here / name)]
        found += [here / name for name in names if name not in _LEFT_OUT_FILES]
        found += [here / name for name in folders if (here / name).is_symlink()]
        if len(found) > MAX_FILES:
            raise UserError(f"{source}: has more than {MAX_FILES} files")
    pairs = [(str(file.relative_to(source)), file) for file in found]
    yield from sorted(pairs, key=lambda pair: os.fsencode(pair[0]))


def _is_left_out(folder: Path) -> bool:
    return folder.name in _LEFT_OUT_FOLDERS or (folder / _VENV_MARK).is_file()


def _fail(error: OSError) -> None:
    raise UserError(f"{error.filename}: cannot be read: {error.strerror}") from error


def _open(file: Path) -> BinaryIO:
    """Open a regular file without following a link or waiting for the far end of a pipe."""
    try:
        opened = open(file, "rb", opener=_opener)  # noqa: SIM115 - the caller closes it
    except OSError as error:
        if file.is_symlink():
            raise UserError(f"{file}: is a link; a bot may hold files only") from error
        raise UserError(f"{file}: cannot be read: {error.strerror}") from error
    if not stat.S_ISREG(os.fstat(opened.fileno()).st_mode):
        opened.close()
        raise UserError(f"{file}: is no file; a bot may hold files only")
    return opened


def _opener(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK)
