"""What a build may make: no bot fills a disk, or nests folders until nothing can walk them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

MOST_BYTES = 500_000_000
MOST_FILES = 20_000
"""Of a bot with all that was built of it, folders included."""
LONGEST_PATH = 500
"""In bytes, from the bot's folder on; so no folder lies deeper than half of that."""
_BLOCK = 512
"""What `st_blocks` counts, in bytes."""


class BeyondBoundsError(Exception):
    """A folder holds more than it may; the text says what, to follow the word *it*."""


def below(folder: Path) -> Iterator[os.DirEntry[str]]:
    """Yield all that a folder holds, at any depth; links are not followed.

    A folder comes before what is in it, so that it can still be opened. What goes away meanwhile is
    passed over.
    """
    waiting = [str(folder)]
    while waiting:
        with suppress(FileNotFoundError, NotADirectoryError):
            entries = os.scandir(waiting.pop())
            with entries:
                for entry in entries:
                    yield entry
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)


def within_bounds(folder: Path) -> Iterator[os.DirEntry[str]]:
    """Yield all that a bot's folder holds, as `below`; `BeyondBoundsError` once it is too much."""
    start = len(os.fsencode(folder)) + 1
    size = 0
    for number, entry in enumerate(below(folder), 1):
        with suppress(FileNotFoundError):
            found = entry.stat(follow_symlinks=False)
            size += max(found.st_size, found.st_blocks * _BLOCK)
        if size > MOST_BYTES or number > MOST_FILES:
            most = f"{MOST_FILES} files and {MOST_BYTES} bytes"
            raise BeyondBoundsError(f"made too much; with it the bot may have {most}")
        if len(os.fsencode(entry.path)) - start > LONGEST_PATH:
            raise BeyondBoundsError(f"nested folders; a path may have {LONGEST_PATH} bytes")
        yield entry


def excess(folder: Path) -> str:
    """Say what is too much in a folder to which somebody may just be writing, empty if nothing."""
    try:
        for _ in within_bounds(folder):
            pass
    except BeyondBoundsError as error:
        return f"it {error}"
    except PermissionError:
        return "it closed a folder, so that nobody can tell how much is in it"
    return ""
