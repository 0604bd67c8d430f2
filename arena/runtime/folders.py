"""The private folders of jobs: made by whoever plays, cleared up if that could not.

A folder bears the pid of its maker, and every bot process has its endpoint in one. So what a dead
arena left can be told from what belongs to a living one: folders, sockets and processes.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

_LONGEST_FOLDER_BYTES = 60
"""An ipc endpoint's path must stay under 108 bytes."""
_MOST_LOOKS = 20
"""While some are killed others may begin: it is looked again until there are none."""
_NAME = re.compile(r"arena-(\d+)-.+")


def make_private_folder() -> Path:
    """Make a folder that only this user can enter, with a path short enough for a socket."""
    return Path(tempfile.mkdtemp(prefix=f"arena-{os.getpid()}-", dir=_place()))


def clear_up_after(pid: int) -> None:
    """Remove what a process that has ended left behind, whatever ended it: bots and folders."""
    for owner, folder in _folders():
        if owner == pid:
            _clear(folder)


def sweep() -> None:
    """Remove what arenas that are dead now left behind."""
    for owner, folder in _folders():
        if not _lives(owner):
            _clear(folder)


def _folders() -> Iterator[tuple[int, Path]]:
    """(Pid of its maker, folder) of each private folder of this user."""
    for folder in _place().glob("arena-*"):
        named = _NAME.fullmatch(folder.name)
        with suppress(OSError):
            if named and folder.is_dir() and folder.stat().st_uid == os.getuid():
                yield int(named[1]), folder


def _clear(folder: Path) -> None:
    for _ in range(_MOST_LOOKS):
        pids = list(_processes_of(folder))
        for pid in pids:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        if not pids:
            break
    shutil.rmtree(folder, ignore_errors=True)


def _processes_of(folder: Path) -> Iterator[int]:
    """Yield the processes whose endpoint lies in `folder`, where the system shows that (Linux).

    It is in the environment, which children inherit: a bot's whole family is found, and nobody
    else who happens to have got an old pid.
    """
    mark = b"ARENA_ENDPOINT=ipc://" + os.fsencode(folder) + b"/"
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            variables = (entry / "environ").read_bytes().split(b"\0")
            if any(variable.startswith(mark) for variable in variables):
                yield int(entry.name)


def _lives(pid: int) -> bool:
    """Whether a process runs; one that has ended and that nobody has buried yet does not.

    In a container that can be for ever: its first process often buries nobody.
    """
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    with suppress(OSError):  # not Linux
        return Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[0] not in b"ZX"
    return True


def _place() -> Path:
    """Return where private folders are made: the runtime folder, the temporary one, or /tmp."""
    for wanted in (os.environ.get("XDG_RUNTIME_DIR", ""), tempfile.gettempdir()):
        path = Path(wanted)
        if path.is_absolute() and _is_usable(path):
            return path
    return Path("/tmp")  # noqa: S108


def _is_usable(path: Path) -> bool:
    try:
        length = len(str(path).encode())
    except UnicodeEncodeError:
        return False  # an endpoint is told to bots as text
    return length <= _LONGEST_FOLDER_BYTES and path.is_dir() and os.access(path, os.W_OK | os.X_OK)
