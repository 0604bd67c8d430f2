"""What a bot needs before it can be started is made once, never inside a game.

`script` reads what a Python file asks for and `environment` makes it, with `tools`; `build` lets a
bot's own command run; `cache` keeps what comes of it. Only here the network is asked for anything.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from textwrap import dedent

from msgspec.structs import replace

from arena.errors import UserError
from arena.runtime.executor import BotSpec, StartFault
from arena.tournament import identity
from arena.tournament.config import BotEntry
from arena.tournament.preparing.tools import Maker, StoppedError
from arena.tournament.snapshot import Snapshot

_HEADER = b"# /// script"
"""Without it a file asks for nothing."""

__all__ = ["Maker", "StoppedError", "prepare", "prepare_all"]


def prepare(entry: BotEntry, taken: Snapshot, version: str, maker: Maker) -> BotSpec:
    """Return how a bot is started, once all is there that it asks for.

    What takes time is told to the `maker`. Raises `UserError` with the last lines of the log if it
    cannot be made, `StoppedError` if it was asked to stop before.
    """
    spec = identity.bot_spec(entry, taken, version)
    maker = maker.named(entry.name)
    main = Path(taken.folder) / entry.main
    if entry.command is None and main.suffix == ".py" and _HEADER in main.read_bytes():
        spec = _with_libraries(spec, main, _shown(entry), maker)
    if entry.build is not None and taken.hash:  # one that is run where it lies is not copied
        from arena.tournament.preparing.build import built  # noqa: PLC0415 - as below

        spec = built(spec, entry.build, taken, maker)
    return spec


def _with_libraries(spec: BotSpec, main: Path, shown: str, maker: Maker) -> BotSpec:
    # Few bots need them, and it takes 20 ms to load what makes them.
    from arena.tournament.preparing.environment import python_with  # noqa: PLC0415
    from arena.tournament.preparing.script import requirements  # noqa: PLC0415

    wanted = requirements(main, shown)
    if not wanted:
        return spec
    return replace(spec, argv=(str(python_with(wanted, maker)), *spec.argv[1:]), shows_program=True)


def prepare_all(
    entries: Mapping[str, tuple[BotEntry, Snapshot]], maker: Maker
) -> tuple[dict[str, BotSpec], tuple[StartFault, ...]]:
    """Prepare bots by their versions; return those that can be, and why others cannot be started.

    Raises `StoppedError` if it was asked to stop before all were prepared.
    """
    specs: dict[str, BotSpec] = {}
    faults = []
    for version, (entry, taken) in entries.items():
        try:
            specs[version] = prepare(entry, taken, version, maker)
        except UserError as error:
            detail, _, got = str(error).removeprefix(f"{entry.name}: ").partition("\n")
            faults.append(StartFault(version, detail, dedent(got)))
    return specs, tuple(faults)


def _shown(entry: BotEntry) -> str:
    path = Path(entry.path)
    return str(path / entry.main if path.is_dir() else path)
