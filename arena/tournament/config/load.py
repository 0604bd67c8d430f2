"""From a file to a `Config`: read, checked, completed by defaults."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import msgspec
from msgspec import UNSET

from arena.errors import UserError
from arena.runtime.executor import Limits
from arena.tournament.config.bot_files import is_text
from arena.tournament.config.checks import FEWEST_BOTS, check_bots, check_keys
from arena.tournament.config.document import KeyPath, KeyPlace, spot
from arena.tournament.config.entries import Entries
from arena.tournament.config.entry import BotEntry
from arena.tournament.config.keys import ConfigKeys, Faults, Rating, Run, StopKeys
from arena.tournament.config.mappings import Keys
from arena.tournament.config.yaml_nodes import is_list, read_nodes

_WHOLE = "a whole config is: bots: [a.py, b.py]"


class Config(msgspec.Struct, frozen=True):
    """One tournament as its config describes it."""

    path: str
    """The file, absolute and without links."""
    name: str
    description: str
    variant: str
    options: dict[str, Any]
    """As given; the variant's others are at their defaults."""
    seed: str | None
    """The text of the secret; None: it is drawn once."""
    boards: int
    """Boards of each match; every board is played in every seating."""
    tables: int | None
    """Most games at once in a bot process; None: as many as the bots' speed allows."""
    limits: Limits
    faults: Faults
    pondering: str
    """``allow`` or ``suspend``."""
    isolation: str
    """A level, or ``auto``."""
    bots: tuple[BotEntry, ...]
    """Empty if the config was not loaded for playing."""
    submissions: str | None
    """The folder of submitted bots, absolute; its bots are among `bots`."""
    rating: Rating
    stop: StopKeys
    run: Run
    results: str
    """The folder of this tournament's results, absolute."""
    records: str
    """``all``, or ``results``: games are kept without their actions."""

    def require_field(self) -> None:
        """Raise `UserError` unless there are bots enough for a tournament."""
        if len(self.bots) < FEWEST_BOTS:
            here = "there is one" if self.bots else "there is none"
            where = f" or to {self.submissions}" if self.submissions else ""
            text = f"a tournament needs two bots and {here}; add to bots{where}"
            raise UserError(f"{self.name}: {text}")


class Written(msgspec.Struct, frozen=True):
    """A config and what of it stands in its file."""

    config: Config
    keys: ConfigKeys
    """As they are written, defaults where nothing is."""
    given: frozenset[KeyPath]
    """All keys that are written."""
    origins: dict[str, int | None]
    """By bot name, which of ``bots`` it comes from; None: from the submissions."""


def load_config(path: str | Path, *, playing: bool = True) -> Config:
    """Read and check the config at `path`.

    Commands that only look at results are not `playing`: for them the bots' files, which may have
    moved or gone since, are not looked at, and `Config.bots` is empty; the store knows who plays.
    Raises `ConfigError` with everything that is wrong in it, `UserError` if it cannot be read.
    A config with a submissions folder may still have too few bots: see `Config.require_field`.
    """
    return read_config(path, playing=playing).config


def read_config(path: str | Path, *, playing: bool = True) -> Written:
    """Do as `load_config` does, and keep which keys stand in the file."""
    shown = str(path)
    document, root = read_nodes(Path(path), shown, whole=_WHOLE)
    if is_list(root):
        document.report(spot(root), (), "a list alone is no config; write bots: before it")
        raise document.error()
    keys = Keys(ConfigKeys).read(root, KeyPlace(document, ()))
    if keys is UNSET:
        raise document.error()
    file = Path(path).resolve()
    if not is_text(file):
        raise UserError(f"{shown!a}: its path is not UTF-8 text; move it where the path is")
    limits = msgspec.structs.replace(Limits(), **keys.limits.given())
    entries = Entries(document, file.parent, limits)
    bots = entries.read(keys) if playing else ()
    name = keys.name if keys.name is not None else file.stem
    check_keys(keys, name, document)
    if playing:
        check_bots(keys, bots, document)
    document.check(entries.errors)
    config = Config(
        path=str(file),
        name=name,
        description=keys.description,
        variant=keys.variant,
        options=keys.options,
        seed=keys.seed,
        boards=keys.boards,
        tables=keys.tables,
        limits=limits,
        faults=keys.faults,
        pondering=keys.pondering,
        isolation=keys.isolation,
        bots=bots,
        submissions=keys.submissions and _below(file, keys.submissions),
        rating=keys.rating,
        stop=keys.stop,
        run=keys.run,
        results=_below(file, keys.output.dir or "results", name),
        records=keys.output.records,
    )
    return Written(config, keys, document.keys, entries.origins)


def _below(file: Path, *parts: str) -> str:
    return os.path.abspath(file.parent.joinpath(*parts))  # noqa: PTH100 - keep links as they are
