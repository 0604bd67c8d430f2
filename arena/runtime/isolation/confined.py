"""The words of util-linux that limit a process and take its privileges; they become the program.

Where these tools are missing, launch.py does the same; it only starts more slowly.
"""

from __future__ import annotations

import resource
import sys
from collections.abc import Collection, Mapping
from pathlib import Path

from arena.runtime.isolation import trees
from arena.runtime.isolation.cell import Cell
from arena.runtime.isolation.marks import limits_of

FILE_BYTES = 64_000_000
"""The largest file a bot can write."""
OPEN_FILES = 512
"""So few that one process cannot use up those of its worker by connecting to it."""

_ENV = "/usr/bin/env"
_SHELL = ("/bin/sh", "-c", 'exec "$0" "$@"')


def limits(cell: Cell, protections: Collection[str], *, processes: int | None) -> dict[str, int]:
    """Return the resource limits of a bot process, by their names for `prlimit`.

    The number of processes counts all of the user, so it is only given where that is the bot.
    """
    wanted = {
        "core dumps": {"core": 0},
        "memory": {"data": cell.limits.memory_bytes, "msgqueue": 0},
        "file size": {"fsize": FILE_BYTES},
        "open files": {"nofile": OPEN_FILES},
        "processes": {} if processes is None else {"nproc": processes},
    }
    found = {
        limit: _within(limit, value)
        for protection, limited in wanted.items()
        if protection in protections
        for limit, value in limited.items()
    }
    return {**found, **limits_of(cell.number)}


def _within(limit: str, value: int) -> int:
    """Return the limit, or what the arena is held to itself if that is less."""
    hard = resource.getrlimit(getattr(resource, f"RLIMIT_{limit.upper()}"))[1]
    return value if hard == resource.RLIM_INFINITY else min(value, hard)


def words(
    given: Mapping[str, int],
    *,
    user: int | None = None,
    reads_all: bool = False,
    no_new_privileges: bool,
    dies_with_parent: bool,
) -> tuple[str, ...]:
    """Return what goes before a program so that it runs with these limits and no privileges."""
    setpriv, prlimit = tool("setpriv"), tool("prlimit")
    if setpriv is None or prlimit is None:
        return _without_tools(
            given,
            user,
            no_new_privileges=no_new_privileges,
            dies_with_parent=dies_with_parent,
        )
    confined = [f"--{name}={value}" for name, value in given.items()]
    privileges = [
        *(("--no-new-privs",) if no_new_privileges else ()),
        *(_other_user(user, reads_all=reads_all) if user is not None else ()),
        *(("--pdeathsig", "KILL") if dies_with_parent else ()),
    ]
    return (
        *((prlimit, *confined, "--") if confined else ()),
        *((setpriv, *privileges, "--") if privileges else ()),
    )


def _other_user(user: int, *, reads_all: bool) -> tuple[str, ...]:
    kept = "-all,+dac_read_search" if reads_all else "-all"
    caps = ("--inh-caps", kept, "--bounding-set", kept)
    ambient = ("--ambient-caps", kept) if reads_all else ()
    return ("--reuid", str(user), "--regid", str(user), "--clear-groups", *caps, *ambient)


def _without_tools(
    given: Mapping[str, int], user: int | None, *, no_new_privileges: bool, dies_with_parent: bool
) -> tuple[str, ...]:
    return (
        *(sys.executable, "-I", "-S", str(Path(__file__).parent.with_name("launch.py"))),
        *(f"--{name}={value}" for name, value in given.items()),
        *(("--user", str(user)) if user is not None else ()),
        *(("--no-new-privs",) if no_new_privileges else ()),
        *(("--pdeathsig",) if dies_with_parent else ()),
        "--",
    )


def variables(cell: Cell) -> tuple[str, ...]:
    """Return what goes right before a program so that it, and nothing else, has its variables."""
    if not cell.variables:
        return ()
    named = (f"{name}={value}" for name, value in cell.variables.items())
    is_like_one = "=" in cell.program  # what `env` would take for one more of them
    return (_ENV, *named, *(_SHELL if is_like_one else ()))


def has_tools() -> bool:
    """Whether there is all of util-linux that is used here."""
    return tool("setpriv") is not None and tool("prlimit") is not None


def tool(name: str) -> str | None:
    """Find a tool of util-linux; the small ones of busybox have the names but not the options."""
    found = trees.on_path(name)
    return found if found and Path(found).resolve().name != "busybox" else None
