"""All keys of a config as they are written: names, types, bounds and defaults, once each.

A field's reader stands in its type; a key that is not here is refused as unknown. UNSET stands
for a required value that was missing or wrong and has been reported.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
import yaml
from msgspec import UNSET, UnsetType

from arena.tournament.readers import (
    Duration,
    Each,
    Json,
    Keys,
    Number,
    OneOf,
    Seed,
    Table,
    Text,
    Whole,
    WholeOr,
)
from arena.tournament.yaml_nodes import KeyPlace

_SECOND_MS = 1_000
_MINUTE_MS = 60 * _SECOND_MS
_HOUR_MS = 60 * _MINUTE_MS

_ANY_TEXT = Text(may_be_empty=True)

MAX_BOARDS = 1_000_000
MAX_TABLES = 64
MAX_WORKERS = 256
_MAX_FAULTS = 1_000_000


class LimitKeys(msgspec.Struct, frozen=True, rename=lambda name: name.removesuffix("_ms")):
    """``limits``: how long a bot may take; UNSET: not given here."""

    move_ms: Annotated[int | UnsetType, Duration(1, _HOUR_MS)] = UNSET
    game_ms: Annotated[int | UnsetType | None, Duration(1, 24 * _HOUR_MS, null=True)] = UNSET
    start_ms: Annotated[int | UnsetType, Duration(1, _HOUR_MS)] = UNSET
    grace_ms: Annotated[int | UnsetType, Duration(0, 10 * _SECOND_MS)] = UNSET

    def given(self) -> dict[str, int | None]:
        """Return the limits that are given, by their names in `Limits`."""
        return {k: v for k, v in msgspec.structs.asdict(self).items() if v is not UNSET}


class BotKeys(msgspec.Struct, frozen=True):
    """The long form of one of ``bots``."""

    path: Annotated[str | UnsetType, Text("the path of a file or folder")]
    name: Annotated[str | None, Text("a name")] = None
    command: Annotated[
        tuple[str | UnsetType, ...] | None,
        Each(_ANY_TEXT, "a list of words such as [node, bot.js]"),
    ] = None
    params: Annotated[dict[str, Any], Table(Json())] = {}
    env: Annotated[dict[str, str], Table(_ANY_TEXT)] = {}
    limits: Annotated[LimitKeys, Keys(LimitKeys)] = LimitKeys()


class _Entry:
    """One of ``bots``: a path, or the long form."""

    def read(self, node: yaml.Node, place: KeyPlace) -> Any:
        """Return a str, `BotKeys` or UNSET."""
        if isinstance(node, yaml.MappingNode):
            return Keys(BotKeys).read(node, place)
        return Text("a path, or a mapping with a path").read(node, place)


class Faults(msgspec.Struct, frozen=True):
    """``faults``: what becomes of a bot that commits faults; each costs it a game anyway."""

    no_start: Annotated[Literal["withdraw", "stop"], OneOf(("withdraw", "stop"))] = "withdraw"
    """What a bot that cannot be started before the first game leads to: it is left out of this
    run, or the run stops."""
    withdraw_after: Annotated[int | None, Whole(1, _MAX_FAULTS, null=True)] = 20
    """After how many faults a bot no longer plays; None: never."""


class Rating(msgspec.Struct, frozen=True):
    """``rating``: where the scale of ratings stands and how sure intervals are."""

    mean: Annotated[float, Number(-1e6, 1e6)] = 1500.0
    """The mean of all ratings, unless there is an anchor."""
    confidence: Annotated[float, Number(0.5, 0.999)] = 0.95
    anchor: Annotated[dict[str, float], Table(Number(-1e6, 1e6))] = {}
    """Ratings that are fixed, by bot name."""


class Run(msgspec.Struct, frozen=True):
    """``run``: what one invocation may use."""

    workers: Annotated[int | None, WholeOr("auto", 1, MAX_WORKERS)] = None
    """Worker processes; None: one for each core."""
    finish_ms: Annotated[int, Duration(0, _HOUR_MS)] = msgspec.field(
        default=30 * _SECOND_MS, name="finish"
    )
    """How long a stop waits for running games."""


class OutputKeys(msgspec.Struct, frozen=True):
    """``output``: where results go."""

    dir: Annotated[str | None, Text("the path of a folder")] = None


class ConfigKeys(msgspec.Struct, frozen=True):
    """A whole config."""

    bots: Annotated[
        tuple[str | BotKeys | UnsetType, ...] | UnsetType, Each(_Entry(), "a list of bots")
    ]
    name: Annotated[str | None, Text("a name")] = None
    description: Annotated[str, _ANY_TEXT] = ""
    variant: Annotated[str, Text("the name of a variant")] = "two_handed"
    options: Annotated[dict[str, Any], Table(Json())] = {}
    seed: Annotated[str | None, Seed()] = None
    boards: Annotated[int, Whole(1, MAX_BOARDS)] = 100
    tables: Annotated[int | None, WholeOr("auto", 1, MAX_TABLES)] = None
    limits: Annotated[LimitKeys, Keys(LimitKeys)] = LimitKeys()
    faults: Annotated[Faults, Keys(Faults)] = Faults()
    submissions: Annotated[str | None, Text("the path of a folder")] = None
    rating: Annotated[Rating, Keys(Rating)] = Rating()
    run: Annotated[Run, Keys(Run)] = Run()
    output: Annotated[OutputKeys, Keys(OutputKeys)] = OutputKeys()
