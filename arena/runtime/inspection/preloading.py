"""The attack on what confines a bot by its own variables: the loader obeys some of them (Linux)."""

from __future__ import annotations

import re
from pathlib import Path

from msgspec.structs import replace

from arena.runtime.inspection.attacks import Attempt
from arena.runtime.inspection.cells import Cells, environment
from arena.runtime.inspection.probing import drain
from arena.runtime.isolation import Cell, Isolation
from arena.runtime.process import BotProcess

_ATTACK = "reach what confines it"
_TELLING = {"LD_DEBUG": "files"}
"""Makes the loader of glibc print what it loads; others could make it load what the bot brings."""
_PROGRAM = re.compile(r"initialize program: (\S+)")
_NOTHING = ("/bin/sh", "-c", ":")
_OWN, _FREE = range(8, 10)
"""The users of these seats are those of the first two, where all is over by then."""


def reach_what_confines_it(level: Isolation, cells: Cells) -> tuple[Attempt, Attempt]:
    """Return which programs of the chain had a bot's variables; then the same if all have them."""
    free = level.without("environment")
    return _tried(level, cells.ready(level, _OWN)), _tried(free, cells.ready(free, _FREE))


def _tried(level: Isolation, cell: Cell) -> Attempt:
    *confining, _ = _programs(level, replace(cell, variables=_TELLING)) or [""]
    reached = f"its variables reached {', '.join(confining)}"
    text = reached if confining else "nothing but the bot has its variables"
    return Attempt(_ATTACK, achieved=bool(confining), text=text)


def _programs(level: Isolation, cell: Cell) -> list[str]:
    """Return the programs that were loaded with a cell's variables, the bot itself the last."""
    process = BotProcess(
        _NOTHING,
        folder=Path(cell.snapshot),
        environment=environment(level, cell),
        chain=level.chain(cell),
        number=cell.number,
        in_sandbox=level.is_sandbox,
    )
    try:
        drain(process)
    finally:
        process.kill()
        process.bury()
    return [Path(name).name for name in _PROGRAM.findall(process.output.text())]
