"""The words of bubblewrap that put a bot where it sees next to nothing, and can change less.

Each trap of a call copied from somewhere is closed here: a root and devices that can be written
to, folders in memory without an end, sockets in a folder that can be filled.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

from arena.runtime.isolation import calls, trees
from arena.runtime.isolation.cell import Cell

HOME = "/tmp"  # noqa: S108 - in the sandbox
ENDPOINT = "/arena/endpoint"
NAME = "bot"
"""What the machine is called there."""
HOME_BYTES = 64_000_000
SHARED_MEMORY_BYTES = 16_000_000
_FILTER = 9
"""The descriptor on which bubblewrap gets the filter of calls."""
_UNSHARED = {"processes apart": "pid", "network": "net", "shared memory": "ipc", "host name": "uts"}
"""By protection: the namespace it has of its own."""


def words(bubblewrap: str, cell: Cell, protections: Collection[str]) -> tuple[str, ...]:
    """Return what goes before the words that confine the program."""
    return (
        *_filtered(bubblewrap, cell, protections),
        *_namespaces(protections, as_other_user=cell.user is not None),
        *_view(cell, protections),
        *("--chdir", cell.snapshot, "--"),
    )


def filter_path(cell: Cell) -> Path:
    """Return the file with the filter of calls that `Isolation.admit` makes."""
    return Path(f"{cell.endpoint}.filter")


def _filtered(bubblewrap: str, cell: Cell, protections: Collection[str]) -> tuple[str, ...]:
    """Start bubblewrap so that it reads the filter from a descriptor, as it wants to."""
    if not set(calls.PROTECTIONS) & set(protections):
        return (bubblewrap,)
    opening = f'exec "$@" {_FILTER}<"$0"'
    shell = ("/bin/sh", "-c", opening, str(filter_path(cell)))
    return (*shell, bubblewrap, "--seccomp", str(_FILTER))


def _namespaces(protections: Collection[str], *, as_other_user: bool) -> Iterator[str]:
    for protection, namespace in _UNSHARED.items():
        if protection in protections:
            yield f"--unshare-{namespace}"
    if "host name" in protections:
        yield from ("--hostname", NAME)
    if "death" in protections:
        yield "--die-with-parent"
    if as_other_user:  # then it is root who makes all this, and who takes the rest away
        yield from ("--cap-drop", "ALL")
        for capability in ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP"):
            yield from ("--cap-add", capability)
    else:
        yield "--unshare-user"


def _view(cell: Cell, protections: Collection[str]) -> Iterator[str]:
    """Mount what there is: the system and the program to read, a little memory to write to."""
    yield from _memory(HOME, HOME_BYTES, protections)  # first: what lies there hides it in part
    yield from _few_files(cell)
    if "files" not in protections:
        yield from _all_files(cell)
    if "processes apart" in protections:
        yield from ("--proc", "/proc")
    else:
        yield from ("--ro-bind", "/proc", "/proc")
    yield from ("--dev", "/dev")
    if "hidden memory" in protections:  # what is mapped of it is memory that stays unseen
        yield from ("--ro-bind", "/dev/null", "/dev/zero")
    yield from _memory("/dev/shm", SHARED_MEMORY_BYTES, protections)  # noqa: S108 - in the sandbox
    yield from ("--ro-bind", cell.endpoint, ENDPOINT)
    if cell.writes:
        yield from ("--bind", cell.snapshot, cell.snapshot)
    if "read-only" in protections:
        yield from ("--remount-ro", "/dev", "--remount-ro", "/")


def _few_files(cell: Cell) -> Iterator[str]:
    system, links = trees.system()
    own = [*trees.languages(), *trees.of_program(cell), Path(cell.snapshot)]
    seen = trees.outermost([*system, *own])
    for folder in trees.parents([*seen, Path(ENDPOINT)]):
        if not any(above in seen for above in (folder, *folder.parents)):
            yield from ("--perms", "0755", "--dir", str(folder))
    for path in seen:
        yield from ("--ro-bind", str(path), str(path))
    for link, target in links:
        yield from ("--symlink", target, link)


def _all_files(cell: Cell) -> Iterator[str]:
    """Mount what else there is of the machine: only to see that this would be noticed."""
    own = [*trees.languages(), *trees.of_program(cell), Path(cell.snapshot)]
    kept = [*own, *trees.system()[0], *map(Path, ("/proc", "/dev", "/sys", HOME))]
    kept_apart = {Path("/", *path.parts[1:2]) for path in kept if path.parts[1:2] != ("etc",)}
    for path in sorted(Path("/").iterdir()):
        if path.is_dir() and not path.is_symlink() and path not in kept_apart:
            yield from ("--bind", str(path), str(path))


def _memory(folder: str, size: int, protections: Collection[str]) -> Iterator[str]:
    """Mount a folder in memory that everybody in there may write to."""
    if "memory for files" in protections:
        yield from ("--size", str(size))
    yield from ("--perms", "1777", "--tmpfs", folder)
