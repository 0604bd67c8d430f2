"""Private folders, of jobs and others: made by whoever plays, cleared up if that could not.

A folder bears the pid of its maker, who holds a lock on it, and every bot process has its endpoint
in one. So what a dead arena left can be told from what belongs to a living one: folders, sockets
and processes.
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from arena.runtime.isolation.leftovers import remove_of
from arena.runtime.isolation.marks import number_on, worker_of
from arena.runtime.isolation.users import own_users

_LONGEST_FOLDER_BYTES = 60
"""An ipc endpoint's path must stay under 108 bytes."""
_MOST_LOOKS = 20
"""While some are killed others may begin: it is looked again until there are none."""
_LAST_PLACE = Path("/tmp")  # noqa: S108
_NAME = re.compile(r"arena-(\d+)-.+")


@contextmanager
def private_folder() -> Iterator[Path]:
    """Make a folder that only this user can enter, with a path short enough for a socket.

    It is removed at the end. Raises `OSError` if the machine gives none.
    """
    with _made_in(_place()) as folder:
        yield folder


@contextmanager
def working_folder() -> Iterator[Path]:
    """Make one like it for files of any size that may be run: in the temporary folder.

    A runtime folder is small, and programs may not be run there.
    """
    with _made_in(Path(tempfile.gettempdir())) as folder:
        yield folder


@contextmanager
def _made_in(place: Path) -> Iterator[Path]:
    folder, lock = _make(place)
    try:
        yield folder
    finally:
        _remove(folder)
        os.close(lock)


def _make(place: Path) -> tuple[Path, int]:
    """Make a folder and lock it; it may be swept away before that, and then there is another."""
    while True:
        folder = Path(tempfile.mkdtemp(prefix=f"arena-{os.getpid()}-", dir=place))
        lock = _lock(folder)
        if lock is not None:
            return folder, lock


def clear_up_after(pid: int) -> None:
    """Remove what a process that has ended left behind, whatever ended it: bots and folders."""
    for owner, folder in _folders():
        if owner == pid:
            _clear_if_free(folder)


def sweep() -> None:
    """Remove what arenas that are dead now left behind, wherever they played.

    A pid says nothing of an arena in another container with the same folders; its lock does.
    """
    for owner, folder in _folders():
        if not _lives(owner):
            _clear_if_free(folder)


def _folders() -> Iterator[tuple[int, Path]]:
    """(Pid of its maker, folder) of each private folder of this user."""
    for folder in [folder for place in _places() for folder in place.glob("arena-*")]:
        named = _NAME.fullmatch(folder.name)
        with suppress(OSError):
            if named and folder.is_dir() and folder.stat().st_uid == os.getuid():
                yield int(named[1]), folder


def _clear_if_free(folder: Path) -> None:
    """Remove a folder and its processes, unless somebody holds its lock or that cannot be told."""
    with suppress(OSError):
        lock = _lock(folder)
        if lock is not None:
            _clear(folder)
            os.close(lock)


def _lock(folder: Path) -> int | None:
    """Lock a folder for as long as the returned descriptor is open, which bots do not inherit.

    None if somebody else holds the lock, or the folder has gone.
    """
    try:
        lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except FileNotFoundError:
        return None
    with ExitStack() as closing, suppress(BlockingIOError):
        closing.callback(os.close, lock)
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if folder.is_dir():
            closing.pop_all()
            return lock
    return None


def _clear(folder: Path) -> None:
    for _ in range(_MOST_LOOKS):
        pids = list(_processes_of(folder))
        for pid in pids:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        if not pids:
            break
    if named := _NAME.fullmatch(folder.name):
        remove_leftovers(int(named[1]))
    _remove(folder)


def remove_leftovers(worker: int) -> None:
    """Remove what bots of the worker with that pid left outside their folders, if it is known."""
    remove_of(worker, _remove)


def _remove(path: Path) -> None:
    """Remove a file, or a folder in which bots did what they liked: close folders, nest them.

    Root needs nothing opened, and must not: a bot that still runs could put a link there instead.
    """
    try:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()
    except (OSError, RecursionError):
        opened = [] if os.geteuid() == 0 else [["chmod", "-R", "u+rwX"]]
        for words in (*opened, ["rm", "-rf"]):
            with suppress(OSError):
                subprocess.run([*words, "--", str(path)], check=False, capture_output=True)


def _processes_of(folder: Path) -> Iterator[int]:
    """Yield the bots' processes that belong to `folder`, where the system shows that (Linux).

    They are its bots' own user, or bear the mark of the worker that made it. Where there are no
    marks, their endpoint lies there: it is in the environment, which children inherit.
    """
    endpoint = b"ARENA_ENDPOINT=ipc://" + os.fsencode(folder) + b"/"
    named = _NAME.fullmatch(folder.name)
    users = own_users(int(named[1])) if named else frozenset()
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            pid = int(entry.name)
            is_theirs = entry.stat().st_uid in users
            if is_theirs or _bears_mark_of(pid, named) or _has_in_environment(entry, endpoint):
                yield pid


def _bears_mark_of(pid: int, named: re.Match[str] | None) -> bool:
    """Whether a process of this very machine or container bears a mark of a folder's maker."""
    number = number_on(pid)
    return (
        named is not None
        and number is not None
        and worker_of(number) == int(named[1])
        and Path(f"/proc/{pid}/ns/pid").readlink() == Path("/proc/self/ns/pid").readlink()
    )


def _has_in_environment(entry: Path, start: bytes) -> bool:
    variables = (entry / "environ").read_bytes().split(b"\0")
    return any(variable.startswith(start) for variable in variables)


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
    """Return where private folders are made: the first place where an endpoint fits."""
    return next((place for place in _places() if _is_usable(place)), _LAST_PLACE)


def _places() -> list[Path]:
    """Return where private folders may be: in the runtime folder, the temporary one, or /tmp."""
    wanted = (os.environ.get("XDG_RUNTIME_DIR", ""), tempfile.gettempdir())
    found = [path for path in map(Path, wanted) if path.is_absolute()]
    return list(dict.fromkeys([*found, _LAST_PLACE]))


def _is_usable(path: Path) -> bool:
    try:
        length = len(str(path).encode())
    except UnicodeEncodeError:
        return False  # an endpoint is told to bots as text
    return length <= _LONGEST_FOLDER_BYTES and path.is_dir() and os.access(path, os.W_OK | os.X_OK)
