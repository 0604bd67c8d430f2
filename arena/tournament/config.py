"""A tournament's config: what stands in the file, checked and with all defaults.

`load_config` is the one way in. Keys are in `keys`, bots in `entries`, YAML in `yaml_nodes`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import UNSET

from arena import rules
from arena.errors import UserError
from arena.ratings.ratings import MOST_APART
from arena.runtime.executor import Limits
from arena.text import did_you_mean
from arena.tournament.document import Document, KeyPath, KeyPlace
from arena.tournament.entries import BotEntry, Entries, check_long_forms, is_text
from arena.tournament.keys import ConfigKeys, Faults, Rating, Run
from arena.tournament.mappings import Keys
from arena.tournament.schedule import SEATINGS, SEATS
from arena.tournament.yaml_nodes import read_nodes

__all__ = ["BotEntry", "Config", "Faults", "Rating", "Run", "load_config"]

FEWEST_BOTS = 2
_NAME_BYTES = 200
_MOST_GAMES = 100_000_000
"""Of one tournament: each takes a byte of the coordinator's memory."""


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
    bots: tuple[BotEntry, ...]
    """Empty if the config was not loaded for playing."""
    submissions: str | None
    """The folder of submitted bots, absolute; its bots are among `bots`."""
    rating: Rating
    run: Run
    results: str
    """The folder of this tournament's results, absolute."""

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
    document, root = read_nodes(Path(path), shown)
    keys = Keys(ConfigKeys).read(root, KeyPlace(document, ()))
    if keys is UNSET:
        raise document.error()
    file = Path(path).resolve()
    if not is_text(file):
        raise UserError(f"{shown!a}: its path is not UTF-8 text; move it where the path is")
    limits = msgspec.structs.replace(Limits(), **keys.limits.given())
    check_long_forms(keys, document)
    entries = Entries(document, file.parent, limits)
    bots = entries.read(keys) if playing else ()
    name = keys.name if keys.name is not None else file.stem
    _check_name(name, document)
    _check_variant(keys, document)
    _check_rating(keys.rating, document)
    if playing:
        _check_anchors(keys.rating, bots, document)
        _check_number(keys, bots, document)
        _check_games(keys.boards, len(bots), document)
    document.check()
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
        bots=bots,
        submissions=keys.submissions and _below(file, keys.submissions),
        rating=keys.rating,
        run=keys.run,
        results=_below(file, keys.output.dir or "results", name),
    )
    return Written(config, keys, document.keys, entries.origins)


def _below(file: Path, *parts: str) -> str:
    return os.path.abspath(file.parent.joinpath(*parts))  # noqa: PTH100 - keep links as they are


def _check_name(name: str, document: Document) -> None:
    """Refuse a tournament's name that cannot be a folder's."""
    long = len(name.encode()) > _NAME_BYTES
    if long or "/" in name or name[0] == "." or not name.isprintable():
        text = f"may not begin with a dot, hold / or be longer than {_NAME_BYTES} bytes"
        document.report_value(("name",), f"the name {text}")


def _check_variant(keys: ConfigKeys, document: Document) -> None:
    if keys.variant not in rules.names():
        hint = did_you_mean(keys.variant, rules.names())
        hint = hint or f"variants are {', '.join(rules.names())}"
        document.report_value(("variant",), f'there is no variant "{keys.variant}"; {hint}')
        return
    variant = rules.load(keys.variant)
    if variant.seats != SEATS:
        text = f"has {variant.seats} seats; tournaments are for variants with {SEATS}"
        document.report_value(("variant",), text)
    known = variant.options.__struct_fields__
    for problem in rules.check(keys.variant, keys.options):
        report = document.report_value if problem.key in known else document.report_key
        report(("options", problem.key), problem.text)


def _check_rating(rating: Rating, document: Document) -> None:
    if rating.anchor:
        _check_distance(rating.anchor, document)
    if rating.anchor and document.has(("rating", "mean")):
        document.report_key(("rating", "anchor"), "give either mean or anchor, not both")


def _check_anchors(rating: Rating, bots: tuple[BotEntry, ...], document: Document) -> None:
    names = [bot.name for bot in bots]
    for name in rating.anchor:
        if name not in names:
            hint = did_you_mean(name, names)
            text = f"no bot has this name; {hint}" if hint else "no bot has this name"
            document.report_key(("rating", "anchor", name), text)


def _check_distance(anchors: Mapping[str, float], document: Document) -> None:
    lowest, highest = min(anchors, key=anchors.__getitem__), max(anchors, key=anchors.__getitem__)
    apart = anchors[highest] - anchors[lowest]
    if apart > MOST_APART:
        text = f"is {apart:.9g} above {lowest}; anchors may be {MOST_APART} apart at most"
        document.report_value(("rating", "anchor", highest), text)


def _check_number(keys: ConfigKeys, bots: tuple[BotEntry, ...], document: Document) -> None:
    """One bot more may be wrong and have been reported: only what is written counts here."""
    written = keys.bots
    if written is UNSET or keys.submissions is not None:
        return
    number = max(len(written), len(bots))
    if number < FEWEST_BOTS:
        here = "there is one" if number else "there is none"
        document.report_value(("bots",), f"a tournament needs two bots and {here}")


def _check_games(boards: int, bots: int, document: Document) -> None:
    games = boards * SEATINGS * bots * (bots - 1) // 2
    if games > _MOST_GAMES:
        text = f"makes {games} games of {bots} bots; a tournament has {_MOST_GAMES} at most"
        document.report_value(("boards",), text)
