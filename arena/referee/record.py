"""What is kept of a game.

A record is header, actions and times; everything else is recomputed by the rules (replay.py). Only
values may live here: no file, no database, no clock.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec


def name_of(version: str) -> str:
    """Return the bot name in a bot version: ``monte`` of ``monte@2``."""
    return version.rpartition("@")[0]


class GameId(msgspec.Struct, frozen=True, order=True):
    """Which game: computed from the schedule, never from a running counter (contracts, 2)."""

    match: tuple[str, ...]
    """The bot versions of the match, such as ``a@1``, in the match's order."""
    board: int
    """Number of the board in its match, from 0."""
    seating: int
    """0: the match's order sits on seats 0, 1, ...; s: moved on by s seats."""

    def __str__(self) -> str:
        """Such as ``a@1:b@1/12/0``."""
        return f"{':'.join(self.match)}/{self.board}/{self.seating}"

    @property
    def seats(self) -> tuple[str, ...]:
        """The bot version on each seat."""
        return self.match[self.seating :] + self.match[: self.seating]


class Target(msgspec.Struct, frozen=True, tag="target", tag_field="kind"):
    """The game was played until a seat reached the target."""


class Forfeit(msgspec.Struct, frozen=True, tag="forfeit", tag_field="kind"):
    """The bot on `seat` lost the game by a fault."""

    seat: int
    fault: str
    """The fault's kind (referee/fault.py)."""
    detail: str
    """What was expected; no pid, time or address, and the same for any number of tables."""
    got: str = ""
    """What came instead, for the author; not in the exported record."""


class GameResult(msgspec.Struct, frozen=True, tag=True):
    """How one finished game that counts came out: all that is always kept of it."""

    id: GameId
    points: tuple[int, ...]
    """Points of the game by seat."""
    winner: int
    """The seat that won."""
    end: Target | Forfeit
    decisions: tuple[int, ...] = ()
    """By seat: how many of the game's actions are its own."""
    spent_us: tuple[int, ...] = ()
    """By seat: microseconds charged for them together."""
    tables: int = 1
    """Most games that were open at once when it ended."""
    isolation: str = "none"
    """The level that its bots ran at."""
    pondering: str = "allow"
    """Whether a bot that was not asked could go on: ``allow`` or ``suspend``."""
    cpu_us: tuple[int, ...] = ()
    """By seat: microseconds of CPU that all its processes took since its last game ended there.

    With several tables at once only the sum over games says something.
    """
    lag_us: int = 0
    """Microseconds that the arena was late while it was played, which nobody was charged for."""
    dealers: tuple[int, ...] = ()
    """The seat that dealt each finished deal; one that a forfeit broke off is not among them."""
    margins: tuple[int, ...] = ()
    """Points of seat 0 minus those of seat 1 in each of them."""

    @property
    def result(self) -> GameResult:
        """The result alone, of a record too."""
        return GameResult(*self._head)

    @property
    def _head(self) -> Iterator[Any]:
        return (getattr(self, name) for name in GameResult.__struct_fields__)


class GameRecord(GameResult, frozen=True, kw_only=True):
    """A game that can be replayed: its result, and what was done in it."""

    actions: tuple[str, ...] = ()
    """All actions in order; who acted and in which deal follows from the rules."""
    times_us: tuple[int, ...] = ()
    """Microseconds charged for each of `actions`."""
    notes: tuple[tuple[int, str], ...] = ()
    """(Number of the action from 0, what its bot noted)."""

    @property
    def packed(self) -> PackedRecord:
        """The record as it travels and is stored."""
        return PackedRecord(
            *self._head,
            actions=msgspec.json.encode(self.actions).decode(),
            times_us=msgspec.json.encode(self.times_us).decode(),
            notes=msgspec.json.encode(self.notes).decode(),
        )


class PackedRecord(GameResult, frozen=True, kw_only=True):
    """A record of which the long part is JSON text: between worker and file nobody reads it."""

    actions: str
    times_us: str
    notes: str

    @property
    def record(self) -> GameRecord:
        """The record itself."""
        return GameRecord(
            *self._head,
            actions=msgspec.json.decode(self.actions, type=tuple[str, ...]),
            times_us=msgspec.json.decode(self.times_us, type=tuple[int, ...]),
            notes=msgspec.json.decode(self.notes, type=tuple[tuple[int, str], ...]),
        )


class Void(msgspec.Struct, frozen=True):
    """A game that broke off by the arena's fault: it never counts and is played again."""

    id: GameId
    cause: str
