"""How a bot's process begins, be it one that plays or one that is built: in its cell, confined."""

from __future__ import annotations

import os
from pathlib import Path

from arena.runtime.isolation import Cell, Isolation, scrubbed_environment
from arena.runtime.isolation.marks import number_of
from arena.runtime.job import BotSpec
from arena.runtime.process import BotProcess, CannotRunError, resolved

_HIDDEN = (
    "a program that a bot chooses itself is in its own folder or of the system;"
    " in a sandbox it sees no other, unless the config gives its command"
)


def confined_process(
    spec: BotSpec,
    level: Isolation,
    folder: Path,
    *,
    seat: int,
    start: int,
    endpoint: Path,
    home: Path,
    token: str = "",
    writes: bool = False,
) -> BotProcess:
    """Start the `start`-th process on a seat of this worker, which is told where it is listened to.

    `folder` is the private folder (folders.py) below which `home` and `endpoint` are; both are
    there. `writes`: it may change the folder where it runs. Raises `CannotRunError` if it cannot be
    run and that is the bot's doing, and `SurroundingsError` if the machine gives no process.
    """
    argv = resolved(spec.argv, Path(spec.folder), _path(spec))
    cell = Cell(
        program=argv[0],
        snapshot=spec.folder,
        home=str(home),
        endpoint=str(endpoint),
        private=str(folder),
        limits=spec.limits,
        number=number_of(os.getpid(), seat, start),
        user=level.user_of(os.getpid(), seat),
        shows_program=spec.shows_program,
        variables=spec.env,
        writes=writes,
    )
    if not level.shows_program(cell):
        raise CannotRunError(f"cannot run {spec.argv[0]!r}: {_HIDDEN}")
    level.admit(cell)
    return BotProcess(
        argv,
        folder=Path(spec.folder),
        environment=scrubbed_environment(
            endpoint=level.endpoint(cell), token=token, home=level.home(cell)
        ),
        chain=level.chain(cell),
        number=cell.number,
        in_sandbox=level.is_sandbox,
    )


def _path(spec: BotSpec) -> str | None:
    """Return where a program is looked for: a bot's PATH does not say what the config means."""
    arenas = os.environ.get("PATH")
    return arenas if spec.shows_program else spec.env.get("PATH", arenas)
