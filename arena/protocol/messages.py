"""The one source of the wire format: every message of protocol version 1 (contracts, 1).

Only types may stand here. Every number and string that a bot can send is bounded by its type, so
that nothing behind the codec has to think of sizes. Unknown fields are ignored.
"""

from __future__ import annotations

from typing import Annotated, Any, Generic, Literal, TypeVar

import msgspec
from msgspec import Meta

PROTOCOL_VERSION = 1
MAX_TABLES = 64
"""Most games that the arena opens at once in one bot process."""
MAX_NOTE_LENGTH = 200

Count = Annotated[int, Meta(ge=0, lt=2**53)]
"""A whole number that every JSON library keeps exact."""
ViewT = TypeVar("ViewT")


class Hello(msgspec.Struct, frozen=True, tag="hello", tag_field="type"):
    """A bot's first message."""

    token: Annotated[str, Meta(max_length=64)]
    """What the bot found in ARENA_TOKEN."""
    protocol: Count
    """The protocol version it speaks."""
    max_tables: Annotated[int, Meta(ge=1, lt=2**31)] = 1
    """Most games it wants open at once."""


class Act(msgspec.Struct, frozen=True, tag="act", tag_field="type"):
    """The answer to a decision."""

    table: Count
    seq: Count
    action: Annotated[str, Meta(max_length=64)]
    """One of the strings in the decision's `legal`."""
    note: Annotated[str, Meta(max_length=MAX_NOTE_LENGTH)] | None = None
    """Kept in the game record beside the action."""


class Fail(msgspec.Struct, frozen=True, tag="fail", tag_field="type"):
    """The bot gives this game up; its process plays on."""

    table: Count
    seq: Count
    detail: Annotated[str, Meta(max_length=1000)] = ""
    """Why, for the author."""


class Welcome(msgspec.Struct, frozen=True, tag="welcome", tag_field="type"):
    """The arena's answer to a valid hello."""

    protocol: int
    arena: str
    """The arena's version."""
    bot: str
    """The bot's name in the tournament."""
    params: dict[str, Any]
    """The bot's `params` of the config."""


class WireLimits(msgspec.Struct, frozen=True):
    """The limits of one game in milliseconds; the grace comes on top."""

    move_ms: int
    game_ms: int | None


class GameStart(msgspec.Struct, frozen=True, tag="game_start", tag_field="type"):
    """A game begins at a table, or is handed over in mid-course to a fresh process."""

    table: int
    """From 0, a new number for each game in this process, never used again."""
    variant: str
    options: Any
    """All options of the variant, defaults included."""
    seat: int
    limits: WireLimits
    bot_seed: int
    """Below 2^53, for the bot's own dice."""


class Decide(msgspec.Struct, Generic[ViewT], frozen=True, tag="decide", tag_field="type"):
    """The bot is asked for one action."""

    table: int
    seq: int
    """Counts this seat's decisions of the game from 0."""
    legal: tuple[str, ...]
    """All actions allowed now, sorted as strings."""
    budget_ms: int
    """What this decision may take; the grace comes on top."""
    view: ViewT
    """All that the seat may know (see the variant's view)."""


class WireFault(msgspec.Struct, frozen=True, omit_defaults=True):
    """Whose fault ended a game."""

    seat: int
    kind: str
    detail: str | None = None
    """Only told to the bot at fault."""


class GameEnd(msgspec.Struct, frozen=True, tag="game_end", tag_field="type"):
    """A game is over."""

    table: int
    points: tuple[int, ...]
    winner: int | None
    """The seat that won; None in a void."""
    ended: Literal["played", "forfeit", "void"]
    fault: WireFault | None


class Bye(msgspec.Struct, frozen=True, tag="bye", tag_field="type"):
    """Nothing more will be asked: the bot exits without an answer."""

    reason: str


ArenaMessage = Welcome | GameStart | Decide[Any] | GameEnd | Bye
