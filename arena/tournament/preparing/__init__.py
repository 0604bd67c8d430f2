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
from arena.tournament.preparing.build import built
from arena.tournament.preparing.environment import python_with
from arena.tournament.preparing.script import requirements
from arena.tournament.preparing.tools import Maker, StoppedError
from arena.tournament.snapshot import Snapshot

__all__ = ["Maker", "StoppedError", "prepare", "prepare_all"]


def prepare(entry: BotEntry, taken: Snapshot, version: str, maker: Maker) -> BotSpec:
    """Return how a bot is started, once all is there that it asks for.

    What takes time is told to the `maker`. Raises `UserError` with the last lines of the log if it
    cannot be made, `StoppedError` if it was asked to stop before.
    """
    spec = identity.bot_spec(entry, taken, version)
    maker = maker.named(entry.name)
    if entry.command is None and entry.main.endswith(".py"):
        wanted = requirements(Path(taken.folder) / entry.main, _shown(entry))
        if wanted:
            python = python_with(wanted, maker)
            spec = replace(spec, argv=(str(python), *spec.argv[1:]))
    if entry.build is not None and taken.hash:  # one that is run where it lies is not copied
        spec = built(spec, entry.build, taken, maker)
    return spec


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
