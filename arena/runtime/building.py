"""A bot is built: its own command makes files in its folder, confined like a bot but for that.

What may live here: one program from its start to its end. What may not: where the folder comes
from, and what becomes of it.
"""

from __future__ import annotations

import os
import select
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from arena.runtime.bounds import excess
from arena.runtime.confining import confined_process
from arena.runtime.folders import private_folder, remove_leftovers
from arena.runtime.isolation import Isolation, isolation
from arena.runtime.job import BotSpec, StartFault
from arena.runtime.process import BotProcess, CannotRunError
from arena.runtime.tree import adopting, reap
from arena.runtime.watch import fault_of

_LOOK_S = 0.1
_SEAT = 0


def build(spec: BotSpec, level: str) -> StartFault | None:
    """Run the command of `spec` in its folder, which it may change; return why that failed.

    `limits.start_ms` is how long it may take, not counted while this process is held up. Raises
    `SurroundingsError` if the level is not to be had or the machine gives no process.
    """
    try:
        with ExitStack() as closing:
            process, home = _started(spec, isolation(level), closing)
            why = _wait_for(process, spec, (Path(spec.folder), home))
            return StartFault(spec.version, why, process.output.last_lines()) if why else None
    except CannotRunError as error:
        return StartFault(spec.version, str(error))


def _started(spec: BotSpec, level: Isolation, closing: ExitStack) -> tuple[BotProcess, Path]:
    """Start it and return its home too; nothing of it is left when all is closed."""
    folder = closing.enter_context(private_folder())
    if "user" in level.protections:
        closing.callback(remove_leftovers, os.getpid())
    closing.enter_context(adopting())
    home, endpoint = folder / "home", folder / "endpoint"
    home.mkdir()
    endpoint.touch()
    process = confined_process(
        spec, level, folder, seat=_SEAT, start=0, endpoint=endpoint, home=home, writes=True
    )
    closing.callback(process.bury)
    closing.callback(process.kill)
    return process, home


def _wait_for(process: BotProcess, spec: BotSpec, written: Sequence[Path]) -> str:
    """Return why it failed, empty if it did not; it may not fill the folders it writes to."""
    looks = int(spec.limits.start_ms / 1_000 / _LOOK_S)
    for _ in range(looks):
        select.select([] if process.exit_fd is None else [process.exit_fd], [], [], _LOOK_S)
        process.drain()
        if process.has_ended():
            how = process.how_it_ended()
            return "" if how == "exited 0" else how
        load = process.look(reap({process.pid}))
        fault = fault_of(load, spec.limits, proportional_memory=process.proportional_memory)
        if fault is not None:
            return fault.detail
        if why := next(filter(None, map(excess, written)), ""):
            return why
    return f"not done within {spec.limits.start_ms // 1_000} s"
