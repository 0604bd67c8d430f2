"""All keys of a config as they are written: names, types, bounds, defaults, meanings, once each.

A field's reader and its `Doc` stand in its type; a key that is not here is refused as unknown.
UNSET stands for a required value that was missing or wrong and has been reported.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

import msgspec
import yaml
from msgspec import UNSET, UnsetType

from arena import rules
from arena.ratings.sprt import MODELS, MOST_ELO, Model
from arena.runtime.executor import Limits
from arena.tournament.config.document import KeyPlace
from arena.tournament.config.durations import Duration
from arena.tournament.config.mappings import Doc, Each, Json, Keys, Table
from arena.tournament.config.readers import NULL, Number, OneOf, Reader, Seed, Text, Whole
from arena.tournament.config.sizes import Size

_SECOND_MS = 1_000
_MINUTE_MS = 60 * _SECOND_MS
_HOUR_MS = 60 * _MINUTE_MS
_LONGEST_RUN_MS = 1_000 * _HOUR_MS

_ANY_TEXT = Text(is_free=True)
_ELO = Number(-1e6, 1e6)

_A_BOT = Text("the name of a bot")
_HYPOTHESIS = Number(-MOST_ELO, MOST_ELO)
_ERROR_RATE = Number(0.0001, 0.49)

_REFUSED = "refused"
_FREE = "free"
_COUNTED_ANEW = "free: results are only counted anew"
_UNDECIDED = "free until it has ended the tournament"
_OTHER_FOLDER = "begins in another results folder"
_NEW_VERSION = "a new version"

MAX_BOARDS = 1_000_000
MAX_TABLES = 64
MAX_WORKERS = 256
_MAX_FAULTS = 1_000_000
_LEAST_MEMORY = 32_000_000
_MOST_MEMORY = 1_000_000_000_000
_MAX_PROCESSES = 10_000


def _without_unit(name: str) -> str:
    return name.removesuffix("_ms").removesuffix("_bytes")


class LimitKeys(msgspec.Struct, frozen=True, rename=_without_unit):
    """``limits``: what a bot may take; UNSET: not given here."""

    move_ms: Annotated[int | UnsetType, Duration(1, _HOUR_MS), Doc("time for one decision")] = UNSET
    game_ms: Annotated[
        int | UnsetType | None,
        Duration(1, 24 * _HOUR_MS, NULL),
        Doc("time for all decisions of a game; `null`: no such limit"),
    ] = UNSET
    start_ms: Annotated[
        int | UnsetType,
        Duration(1, _HOUR_MS),
        Doc("time until a bot is ready; never charged to a move"),
    ] = UNSET
    grace_ms: Annotated[
        int | UnsetType,
        Duration(0, 10 * _SECOND_MS),
        Doc("on top of each limit of a decision, for transport"),
    ] = UNSET
    memory_bytes: Annotated[
        int | UnsetType,
        Size(_LEAST_MEMORY, _MOST_MEMORY),
        Doc("memory of a bot's process and all that it starts, together"),
    ] = UNSET
    processes: Annotated[
        int | UnsetType,
        Whole(1, _MAX_PROCESSES),
        Doc("processes and threads of a bot, together"),
    ] = UNSET

    def given(self) -> dict[str, int | None]:
        """Return the limits that are given, by their names in `Limits`."""
        return {k: v for k, v in msgspec.structs.asdict(self).items() if v is not UNSET}


Command = Annotated[
    tuple[str | UnsetType, ...] | None,
    Each(_ANY_TEXT, "a list of words such as [node, bot.js]"),
    Doc(
        "what is run, in the bot's folder",
        _NEW_VERSION,
        shown="Python for `.py` files, else the file itself; `bot.py` of a folder",
    ),
]
Params = Annotated[
    dict[str, Any],
    Table(Json()),
    Doc("any values, given to the bot", _NEW_VERSION, shown="none"),
]
Env = Annotated[
    dict[str, str],
    Table(_ANY_TEXT, "a mapping of names to text", r"^(?!ARENA_)[A-Za-z_][A-Za-z0-9_]*$"),
    Doc("variables of its environment", _NEW_VERSION, shown="none"),
]


class BotKeys(msgspec.Struct, frozen=True):
    """The long form of one of ``bots``."""

    path: Annotated[
        str | UnsetType,
        Text("the path of a file or folder"),
        Doc(
            "what plays; the short form is just this, of a file, or a glob",
            "a new version if the content differs",
        ),
    ]
    name: Annotated[
        str | None,
        Text("a name"),
        Doc(
            "what it is called: 1 to 40 letters of any script, digits, `_ . -`; begins with a"
            " letter or digit; unique without regard to case",
            "another bot",
            shown="that of its `bot.yaml`; else the file's without its ending, or the folder's",
        ),
    ] = None
    command: Command = None
    params: Params = {}
    env: Env = {}
    limits: Annotated[
        LimitKeys,
        Keys(LimitKeys),
        Doc("limits of its own", _NEW_VERSION, shown="those of `limits`"),
    ] = LimitKeys()


class _Entry(Reader):
    """One of ``bots``: a path, or the long form."""

    _path = Text("a path, or a mapping with a path")

    @property
    def expected(self) -> str:
        """What should stand there."""
        return self._path.expected

    def read(self, node: yaml.Node, place: KeyPlace) -> Any:
        """Return a str, `BotKeys` or UNSET."""
        if isinstance(node, yaml.MappingNode):
            return Keys(BotKeys).read(node, place)
        return self._path.read(node, place)

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema."""
        return {"anyOf": [self._path.schema(), Keys(BotKeys).schema()]}

    def write(self, value: str | BotKeys) -> Any:
        """Return the path or the long form."""
        return value if isinstance(value, str) else Keys(BotKeys).write(value)


@dataclass(frozen=True)
class _Options(Table):
    """The options of a variant; which there are is known when the variant is."""

    part: Reader = field(default_factory=Json)
    what: str = "a mapping of options"

    def has_key(self, name: str) -> bool:
        """Whether any variant has an option of this name."""
        return any(hasattr(rules.load(variant).options, name) for variant in rules.names())


class Faults(msgspec.Struct, frozen=True):
    """``faults``: what becomes of a bot that commits faults; each costs it a game anyway."""

    no_start: Annotated[
        Literal["withdraw", "stop"],
        OneOf(("withdraw", "stop")),
        Doc(
            "what happens if a bot cannot be started before the first game: `withdraw` leaves it"
            " out of this run, `stop` ends the run"
        ),
    ] = "withdraw"
    withdraw_after: Annotated[
        int | None,
        Whole(1, _MAX_FAULTS, NULL),
        Doc("after so many faults a bot no longer plays; `null`: never"),
    ] = 20


class Rating(msgspec.Struct, frozen=True):
    """``rating``: where the scale of ratings stands and how sure intervals are."""

    mean: Annotated[float, _ELO, Doc("the mean of all ratings", _COUNTED_ANEW)] = 1500.0
    confidence: Annotated[float, Number(0.5, 0.999), Doc("how sure the intervals are", _FREE)] = (
        0.95
    )
    anchor: Annotated[
        dict[str, float],
        Table(_ELO, "a mapping of bots to ratings"),
        Doc(
            "ratings that are fixed, by bot name, at most 5000 apart; in place of `mean`",
            _FREE,
            shown="none",
        ),
    ] = {}
    prior: Annotated[
        float | None,
        Number(1.0, 10000.0, NULL),
        Doc(
            "standard deviation in Elo of what is believed of the bots beforehand: pulls ratings"
            " together and leaves none at a bound; `null`: nothing is believed",
            _FREE,
        ),
    ] = None


_MEAN_OR_ANCHOR = {
    "not": {"required": ["mean", "anchor"], "properties": {"anchor": {"minProperties": 1}}}
}


class SprtKeys(msgspec.Struct, frozen=True):
    """``stop.sprt``: a test of one bot against another."""

    a: Annotated[str | UnsetType, _A_BOT, Doc("the bot that may be the better one", _UNDECIDED)]
    b: Annotated[str | UnsetType, _A_BOT, Doc("the bot that it is compared with", _UNDECIDED)]
    elo0: Annotated[
        float | UnsetType,
        _HYPOTHESIS,
        Doc("H0: by so much Elo `a` is better than `b`; 0: not at all", _UNDECIDED),
    ]
    elo1: Annotated[
        float | UnsetType,
        _HYPOTHESIS,
        Doc("H1: or by so much; more than `elo0`", _UNDECIDED),
    ]
    alpha: Annotated[
        float, _ERROR_RATE, Doc("how often H1 may be accepted although H0 is so", _UNDECIDED)
    ] = 0.05
    beta: Annotated[
        float, _ERROR_RATE, Doc("how often H0 may be accepted although H1 is so", _UNDECIDED)
    ] = 0.05
    model: Annotated[
        Model,
        OneOf(MODELS),
        Doc(
            "what the Elo of `elo0` and `elo1` is: `logistic` as in the ratings; `normalized`:"
            " in units of how much the scores of boards vary",
            _UNDECIDED,
        ),
    ] = "logistic"


class StopKeys(msgspec.Struct, frozen=True):
    """``stop``: what ends a tournament before all its boards are played, or a run before that."""

    sprt: Annotated[
        SprtKeys | None,
        Keys(SprtKeys),
        Doc("when it is decided whether one bot is better than another", _UNDECIDED, shown="none"),
    ] = None
    rating_error: Annotated[
        float | None,
        Number(0.1, 1000, NULL),
        Doc("when the rating of each bot is known to ± so much Elo; `null`: never", _UNDECIDED),
    ] = None
    after_ms: Annotated[
        int | None,
        Duration(_SECOND_MS, _LONGEST_RUN_MS, NULL),
        Doc(
            "ends the run so long after its first game as Ctrl-C would, but not the tournament:"
            " the same command goes on; `null`: never",
            _FREE,
        ),
    ] = msgspec.field(default=None, name="after")


class Run(msgspec.Struct, frozen=True):
    """``run``: what one invocation may use."""

    workers: Annotated[
        int | None,
        Whole(1, MAX_WORKERS, "auto"),
        Doc(
            "processes that play; `auto`: one a core, fewer at a time if bots keep more busy",
            _FREE,
        ),
    ] = None
    finish_ms: Annotated[
        int,
        Duration(0, _HOUR_MS),
        Doc("how long a stop waits for running games", _FREE),
    ] = msgspec.field(default=30 * _SECOND_MS, name="finish")


class OutputKeys(msgspec.Struct, frozen=True):
    """``output``: where results go, and what is kept of them."""

    dir: Annotated[
        str | None,
        Text("the path of a folder"),
        Doc(
            "the results are in a folder of the tournament's name in this one",
            _OTHER_FOLDER,
            shown="`results`",
        ),
    ] = None
    records: Annotated[
        str,
        OneOf(("all", "results")),
        Doc(
            "what is kept of a game; `results`: not its actions, so that it takes less room,"
            " nobody can replay it, and bots that are copies are not found out",
            _FREE,
        ),
    ] = "all"


class ConfigKeys(msgspec.Struct, frozen=True, kw_only=True):
    """A whole config."""

    name: Annotated[
        str | None,
        Text("a name"),
        Doc(
            "names the results folder",
            _OTHER_FOLDER,
            shown="the file's name without its ending",
        ),
    ] = None
    description: Annotated[str, _ANY_TEXT, Doc("for people", _FREE, shown="none")] = ""
    variant: Annotated[
        str,
        Text("the name of a variant"),
        Doc("the rules; a variant with two seats", _REFUSED),
    ] = "two_handed"
    options: Annotated[
        dict[str, Any],
        _Options(),
        Doc("the variant's own options", _REFUSED, shown="all at their defaults"),
    ] = {}
    seed: Annotated[
        str | None,
        Seed(),
        Doc(
            "what all cards come from; if given, everybody can know the cards",
            _REFUSED,
            shown="drawn once, secret",
        ),
    ] = None
    boards: Annotated[
        int,
        Whole(1, MAX_BOARDS),
        Doc(
            "boards of each match; each is two games",
            "more: the new ones are played; fewer: the others stay stored and do not count",
        ),
    ] = 100
    tables: Annotated[
        int | None,
        Whole(1, MAX_TABLES, "auto"),
        Doc(
            "most games at once in a bot process; `auto`: as many as its speed allows; 1 for"
            " strict clocks",
            _FREE,
        ),
    ] = None
    limits: Annotated[
        LimitKeys,
        Keys(LimitKeys),
        Doc(
            "what a bot may take",
            _REFUSED,
            default=LimitKeys(**msgspec.structs.asdict(Limits())),
        ),
    ] = LimitKeys()
    faults: Annotated[
        Faults,
        Keys(Faults),
        Doc("what becomes of a bot with faults, beyond the games it loses", _REFUSED),
    ] = Faults()
    pondering: Annotated[
        str,
        OneOf(("allow", "suspend")),
        Doc(
            "whether a bot may think while nothing is asked of it; `suspend`: it stands still, and"
            " games are played one at a time",
            _FREE,
        ),
    ] = "allow"
    isolation: Annotated[
        str,
        OneOf(("none", "process", "sandbox", "auto")),
        Doc("what stands between a bot and the machine; `auto`: the strongest there is", _FREE),
    ] = "process"
    bots: Annotated[
        tuple[str | BotKeys | UnsetType, ...] | UnsetType,
        Each(_Entry(), "a list of bots such as [a.py, b.py]"),
        Doc(
            "who plays; paths, globs and the long forms below may be mixed",
            "new ones play, missing ones leave the table, changed ones are new versions",
        ),
    ]
    submissions: Annotated[
        str | None,
        Text("the path of a folder"),
        Doc(
            "a folder whose bots take part: each `.py` file and each folder with a `bot.py` or a"
            " `bot.yaml`; need not exist yet",
            "as for `bots`",
            shown="none",
        ),
    ] = None
    rating: Annotated[
        Rating,
        Keys(Rating, _MEAN_OR_ANCHOR),
        Doc("where the scale of ratings stands, and how sure intervals are"),
    ] = Rating()
    stop: Annotated[
        StopKeys, Keys(StopKeys), Doc("what ends it before all its boards are played")
    ] = StopKeys()
    run: Annotated[Run, Keys(Run), Doc("what one run may use")] = Run()
    output: Annotated[OutputKeys, Keys(OutputKeys), Doc("where results go, and what is kept")] = (
        OutputKeys()
    )
