"""Attacks that show when the bot, or what started it, has been killed (Linux).

Each time a process that has detached itself stays beside the bot.
"""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from arena.runtime import tree
from arena.runtime.inspection.attacks import Attempt
from arena.runtime.inspection.cells import Cells, command, environment
from arena.runtime.inspection.hints import not_working
from arena.runtime.inspection.probing import PATIENCE_S, drain, started
from arena.runtime.isolation import Cell, Isolation
from arena.runtime.isolation.marks import number_on
from arena.runtime.probe import STAYING

_STAY = "--stay"
_LOOKS, _BETWEEN_LOOKS_S = 200, 0.005
"""So long may it take until what was killed has gone: 2 s."""
_MARKED = Isolation("none", ())
"""Only marked, so that what stays can be found."""
_START_AND_WAIT = (
    "import json, subprocess, sys\n"
    "subprocess.Popen(json.loads(sys.argv[1]), start_new_session=True).wait()\n"
)
_ENDED, _ENDED_FREE, _ORPHANED, _ORPHANED_FREE = range(4, 8)

Pair = tuple[Attempt, Attempt]
"""With the chain of a level and without."""


def outlive_its_end(level: Isolation, cells: Cells) -> Pair:
    """Return what a bot left behind that the arena ended, and one of which just one process was.

    Raises `SurroundingsError` if the probe cannot be started.
    """
    own, free = cells.ready(level, _ENDED), cells.ready(_MARKED, _ENDED_FREE)
    with _killed_at_the_end(own, free):
        with started(level, own, _STAY) as process:
            drain(process, STAYING)
            if STAYING not in process.output.text():
                raise not_working(level, process.output.text())
        _kill_once_it_stays(_MARKED, free, [*_MARKED.chain(free), *command(_STAY)])
        _wait(lambda: not _marked(own))
        return _told("outlive its end", _marked(own), _marked(free))


def outlive_the_arena(level: Isolation, cells: Cells) -> Iterator[Pair]:
    """Yield what was left when what had started a bot was killed: of the bot, and beside it.

    Raises `SurroundingsError` if the probe cannot be started.
    """
    own, free = cells.ready(level, _ORPHANED), cells.ready(_MARKED, _ORPHANED_FREE)
    with _killed_at_the_end(own, free):
        for of_level, cell in ((level, own), (_MARKED, free)):
            bot = json.dumps([*of_level.chain(cell), *command(_STAY)])
            starter = [sys.executable, "-I", "-S", "-c", _START_AND_WAIT, bot]
            _kill_once_it_stays(of_level, cell, starter)
        _wait(lambda: not _bots(own))
        yield _told("outlive the arena", _bots(own), _bots(free))
        if level.is_sandbox:  # elsewhere they stay until the arena sweeps them up
            _wait(lambda: not _marked(own))
        detached = [_marked(cell) - _bots(cell) for cell in (own, free)]
        yield _told("outlive the arena, detached", *detached)


def _kill_once_it_stays(level: Isolation, cell: Cell, words: list[str]) -> None:
    """Start a program, wait until the probe stays, then kill the program and nothing else."""
    with subprocess.Popen(
        words,
        cwd=cell.snapshot,
        env=environment(level, cell),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    ) as process:
        assert process.stdout is not None  # noqa: S101 - it was asked for above
        try:
            printed = _printed(process.stdout.fileno())
        finally:
            process.kill()
    if STAYING not in printed:
        raise not_working(level, printed)


def _printed(descriptor: int) -> str:
    """Read what is printed until the probe stays, or there is no more."""
    printed = b""
    while STAYING.encode() not in printed and select.select([descriptor], [], [], PATIENCE_S)[0]:
        chunk = os.read(descriptor, 4096)
        if not chunk:
            break
        printed += chunk
    return printed.decode("utf-8", "replace")


def _wait(condition: Callable[[], bool]) -> None:
    """Wait until something is so, but not for ever; forget what has ended meanwhile."""
    for _ in range(_LOOKS):
        tree.reap(set())
        if condition():
            break
        select.select([], [], [], _BETWEEN_LOOKS_S)


def _marked(cell: Cell) -> set[int]:
    """Return the processes that were started in a cell and are there."""
    pids = (int(entry.name) for entry in Path("/proc").glob("[0-9]*"))
    return {pid for pid in pids if number_on(pid) == cell.number}


def _bots(cell: Cell) -> set[int]:
    """Return the probe itself among them: the other has become another program."""
    return {pid for pid in _marked(cell) if _STAY in _command_line(pid)}


def _command_line(pid: int) -> str:
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_text()
    return ""


def _told(attack: str, *left: set[int]) -> Pair:
    own, free = (
        Attempt(attack, achieved=bool(pids), text=_named(pids) if pids else "nothing was left")
        for pids in left
    )
    return own, free


def _named(pids: set[int]) -> str:
    return f"left process {', '.join(map(str, sorted(pids)))}"


@contextmanager
def _killed_at_the_end(*cells: Cell) -> Iterator[None]:
    """Kill whatever the probe has left in cells."""
    try:
        yield
    finally:
        for cell in cells:
            tree.send(_marked(cell), signal.SIGKILL)
            _wait(lambda cell=cell: not _marked(cell))  # type: ignore[misc]
