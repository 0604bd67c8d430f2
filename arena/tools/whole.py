"""Files written whole or not at all: a full disk leaves nothing in the way of a new try."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from arena.errors import ArenaError, SurroundingsError, UserError, is_misnamed
from arena.text import refusal


@contextmanager
def undone() -> Iterator[ExitStack]:
    """Yield where it is kept how to undo what was made; an exception undoes it, the last first."""
    with ExitStack() as undo:
        yield undo
        undo.pop_all()


def make_folder(folder: Path, undo: ExitStack) -> None:
    """Make a folder and those above it if they are not there; raises `OSError`."""
    for one in reversed((folder, *folder.parents)):
        if not one.exists():
            undo.callback(_remove_folder, one)
    folder.mkdir(parents=True, exist_ok=True)


def write_new(file: Path, content: bytes, undo: ExitStack) -> None:
    """Write a file that is not there; raises `OSError`, such as `FileExistsError`."""
    with file.open("xb") as out:
        undo.callback(file.unlink, missing_ok=True)
        out.write(content)


def replace(file: Path, content: bytes) -> None:
    """Write a file that may be there, at once; raises `OSError`, and leaves what was there."""
    unfinished = file.with_name(f".{file.name}.unfinished")
    try:
        unfinished.write_bytes(content)
        unfinished.replace(file)
    except OSError:
        with suppress(OSError):
            unfinished.unlink()
        raise


def append(file: Path, content: bytes) -> None:
    """Add to a file, which is made if it is not there; raises `OSError`, and leaves it as it was.

    It may be a pipe or a device: what these have got stays there.
    """
    is_new = not file.exists()
    with file.open("ab", buffering=0) as out:
        before = out.tell() if out.seekable() else None
        try:
            _write(out, content)
        except OSError:
            with suppress(OSError):
                out.truncate(before)
            if is_new:
                file.unlink()
            raise


def refused(what: str, error: OSError) -> ArenaError:
    """Return the error of whoever is to mend it: a person who named a wrong place, or the machine.

    `what` is the place, and what cannot be done there.
    """
    kind = UserError if is_misnamed(error) else SurroundingsError
    return kind(f"{what}: {refusal(error)}")


def _write(out: io.FileIO, content: bytes) -> None:
    rest = memoryview(content)
    while rest:
        rest = rest[out.write(rest) :]


def _remove_folder(folder: Path) -> None:
    with suppress(OSError):  # it was not made, or somebody has put something into it
        folder.rmdir()
