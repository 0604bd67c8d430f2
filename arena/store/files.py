"""Opening results.sqlite: what is refused, and what SQLite's errors mean to a person.

A file that is not whole and ours is never changed, replaced or created anew behind anyone's back.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import msgspec

from arena.errors import ArenaError, SurroundingsError
from arena.store.migrations import APPLICATION_ID, VERSION, migrate
from arena.text import refusal

FILE_NAME = "results.sqlite"

SQLITE_VERSION = sqlite3.sqlite_version
"""Of the library, which often is the system's own."""

_BUSY_MS = 5_000
_HEADER_BYTES = 100
_MACHINE_ERRORS = {
    sqlite3.SQLITE_FULL: "the disk is full; free some space",
    sqlite3.SQLITE_READONLY: "the file or its folder is read-only; make both writable",
    sqlite3.SQLITE_PERM: "no permission; make the file and its folder writable",
    sqlite3.SQLITE_CANTOPEN: "cannot be opened; make the file and its folder readable and"
    " writable, see that the disk has free space",
    sqlite3.SQLITE_BUSY: "another program holds the file; close it",
    sqlite3.SQLITE_LOCKED: "another program holds the file; close it",
    sqlite3.SQLITE_IOERR: "the disk reports an error; check the disk and its free space",
}
_DAMAGED = {
    sqlite3.SQLITE_NOTADB,
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_ERROR,  # a table or column that is always there is missing
    sqlite3.SQLITE_CONSTRAINT,  # what is stored contradicts itself
    0,  # SQLite sees nothing wrong, but Python cannot read the text
}
_KEPT = "and run the same command again: what is stored is not lost"


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn errors of SQLite that the machine causes into `SurroundingsError`.

    SQLite has no checksums, so a stored value too may turn out to be none.
    """
    try:
        yield
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise damaged(path, str(error)) from error
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code in _DAMAGED and not isinstance(error, sqlite3.ProgrammingError):
            raise damaged(path, str(error)) from error
        if code in _MACHINE_ERRORS:
            raise SurroundingsError(f"{path}: {_MACHINE_ERRORS[code]} {_KEPT}") from error
        raise ArenaError(f"{path}: {error}") from error
    except OSError as error:
        raise SurroundingsError(f"{path}: {refusal(error)}") from error


def damaged(path: Path, why: str) -> SurroundingsError:
    """Say that a file is not a whole results file; it is left as it is."""
    text = f"{path} is damaged or no results file of arena ({why})"
    return SurroundingsError(f"{text}; it is left as it is: move it away or restore it from a copy")


def open_to_write(path: Path) -> sqlite3.Connection:
    """Open the results file for the one writer, creating or migrating it where needed."""
    with explained(path):
        if not path.exists():
            _create(path)
        _check_whole(path)
        connection = _connect(path, "rw")
        try:
            migrate(connection, _version(connection, path))
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA foreign_keys = ON")
        except BaseException:
            connection.close()
            raise
        return connection


def require_in_place(path: Path, opened: os.stat_result) -> None:
    """Refuse to write on into a file that is not at its path any more: nobody would find it."""
    try:
        in_place = os.path.samestat(path.stat(), opened)
    except FileNotFoundError:
        in_place = False
    if not in_place:
        text = "was moved or deleted while it was in use; put it back"
        raise SurroundingsError(f"{path} {text} and run the same command again")


def open_to_read(path: Path) -> sqlite3.Connection:
    """Open an existing, whole results file beside a writer that may be running."""
    with explained(path):
        connection = open_to_look(path, still=False)
        try:
            _require_sound_pages(connection, path)
        except BaseException:
            connection.close()
            raise
        return connection


def open_to_look(path: Path, *, still: bool) -> sqlite3.Connection:
    """Open an existing results file quickly: its pages are not checked.

    If the caller knows that it is `still`, that nobody writes, no trace is left beside it. Where
    none can be left, as on a read-only disk, it must be still, unless there is a log.
    """
    with explained(path):
        leaves_none = still or not os.access(path.parent, os.W_OK)
        mode = "ro&immutable=1" if leaves_none and not _has_log(path) else "ro"
        connection = _connect(path, mode)
        try:
            version = _version(connection, path)
        except BaseException:
            connection.close()
            raise
        if version == VERSION:
            return connection
        connection.close()
        text = "was written by an older arena; run the tournament once to bring it up to date"
        raise SurroundingsError(f"{path} {text}")


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    _check_ours(path)
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    return sqlite3.connect(uri, uri=True, isolation_level=None, timeout=_BUSY_MS / 1000)


def _check_ours(path: Path) -> None:
    """Look at a file's header before SQLite does, which would change some files by opening them.

    It throws away the log of an emptied file, for one. Offsets: https://sqlite.org/fileformat2.html
    """
    header = _header(path)
    if _owner(header) is None:
        raise damaged(path, "not a whole SQLite file")
    if _owner(header) != APPLICATION_ID:
        raise damaged(path, "made by another program")
    pages, page_bytes = int.from_bytes(header[28:32]), int.from_bytes(header[16:18])
    has_log = path.with_name(path.name + "-wal").exists()  # it may hold what the file lacks
    if not has_log and path.stat().st_size < pages * page_bytes:
        raise damaged(path, "the file is cut off")


def is_foreign(path: Path) -> bool:
    """Whether a file is another program's database."""
    return _owner(_header(path)) not in (None, APPLICATION_ID)


def _header(path: Path) -> bytes:
    """Read the beginning of a file, not waiting for the far end of what is a pipe."""
    with open(path, "rb", opener=lambda name, how: os.open(name, how | os.O_NONBLOCK)) as file:
        return file.read(_HEADER_BYTES)


def _owner(header: bytes) -> int | None:
    """Return which program a database's header names; None if it is no header of a database."""
    return int.from_bytes(header[68:72]) if header[:16] == b"SQLite format 3\0" else None


def _has_log(path: Path) -> bool:
    """Whether something beside the file belongs to what is stored."""
    logs = (path.with_name(path.name + ending) for ending in ("-wal", "-journal"))
    return any(log.exists() and log.stat().st_size > 0 for log in logs)


def _create(path: Path) -> None:
    """Make a new file under another name first: a kill leaves either none or a whole one."""
    log = path.with_name(path.name + "-wal")
    if log.exists() and log.stat().st_size > 0:
        raise damaged(path, "the file is gone but its -wal is still there")
    unfinished = path.with_name(path.name + ".new")
    unfinished.unlink(missing_ok=True)
    with closing(sqlite3.connect(unfinished, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = OFF")
        migrate(connection, 0)
    unfinished.rename(path)


def _version(connection: sqlite3.Connection, path: Path) -> int:
    """Return the version of a file's schema, which must not be newer than this code."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > VERSION:
        text = f"was written by a newer arena (results schema {version}, known is {VERSION})"
        raise SurroundingsError(f"{path} {text}; update arena")
    return int(version)


def _check_whole(path: Path) -> None:
    """Refuse a file with pages missing or broken before anything is written to it.

    So it is looked at without the right to write, else closing it would put its log into it; but
    only with that right can what a kill left half written be taken back first.
    """
    is_half_written = path.with_name(path.name + "-journal").exists()
    with closing(_connect(path, "rw" if is_half_written else "ro")) as connection:
        _version(connection, path)
        _require_sound_pages(connection, path)


def _require_sound_pages(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse a file from which games could be missing without a sign; 0.2 s for 100,000 games."""
    (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if found != "ok":
        raise damaged(path, str(found).splitlines()[-1])
