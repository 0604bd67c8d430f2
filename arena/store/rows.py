"""What the store returns, and how records become columns and back. No connection here."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import msgspec

from arena.referee.record import (
    Forfeit,
    GameId,
    GameRecord,
    GameResult,
    PackedRecord,
    Target,
)

Match = tuple[str, ...]
"""The bot versions of a match, such as ``("a@1", "b@1")``, in the match's order."""


class Tournament(msgspec.Struct, frozen=True):
    """What must stay the same for as long as there are results."""

    config_path: str
    """The config file, absolute."""
    name: str
    conditions: dict[str, Any]
    """What a change of makes another tournament (contracts, 2)."""
    secret: bytes
    """What all cards come from."""
    drawn: bool
    """Whether the secret was drawn here and not given by the config's `seed`."""
    revealed: bool = False
    """Whether a drawn secret was published: then no game may be played any more."""

    @property
    def public_secret(self) -> bytes | None:
        """The secret if everybody may know it, else None."""
        return None if self.drawn and not self.revealed else self.secret


class Withdrawal(msgspec.Struct, frozen=True):
    """A bot version was withdrawn for good: its games after the one that decided do not count."""

    version: str
    game: GameId
    """The game that decided it, the last one of the version that counts."""
    reason: str
    """For people; no pid, time or address."""


class Stop(msgspec.Struct, frozen=True):
    """The tournament ended before its last board: games after the one that decided do not count."""

    kind: Literal["sprt", "rating_error"]
    """The key under ``stop`` that ended it."""
    versions: tuple[str, ...]
    """Those it was decided for: the two of an SPRT, or all that took part."""
    game: GameId
    """The game that decided it, the last one of the order that counts."""
    reason: str
    """For people."""
    figures: dict[str, Any]
    """What it was decided by: the settings then, and what came out (JSON values)."""


Decision = Withdrawal | Stop


class Settled(NamedTuple):
    """All that scheduling and judging need of a stored game of a match."""

    board: int
    seating: int
    winner: int
    """The seat that won it."""
    fault_seat: int | None
    """The seat that lost it by a fault."""
    fault: str | None
    """The kind of that fault."""


class Entrant(msgspec.Struct, frozen=True):
    """A bot as it enters the tournament."""

    name: str
    hash: str
    """SHA-256 of its content, lower-case hex."""
    spec: dict[str, Any]
    """How it is started and limited, for people to look at later (JSON values)."""


class BotVersion(msgspec.Struct, frozen=True):
    """A bot that has entered."""

    name: str
    number: int
    hash: str
    spec: dict[str, Any]
    current: bool
    """Whether it is the version of that name that plays."""

    def __str__(self) -> str:
        """Such as ``monte@1``."""
        return f"{self.name}@{self.number}"


class Result(msgspec.Struct, frozen=True):
    """What rankings need of a game."""

    id: GameId
    winner: int
    """The seat that won."""
    fault: tuple[int, str] | None
    """(Seat, kind) if it was lost by a fault."""
    decisions: tuple[int, ...]
    """By seat."""
    spent_us: tuple[int, ...]
    """By seat: microseconds charged for its decisions."""
    isolation: str
    """The level that its bots ran at."""
    pondering: str
    """Whether a bot that was not asked could go on: ``allow`` or ``suspend``."""
    cpu_us: tuple[int, ...]
    """By seat: microseconds of CPU of all its processes; empty if nobody measured them."""
    lag_us: int
    """Microseconds that the arena was late, which nobody was charged for."""
    dealers: tuple[int, ...]
    """The seat that dealt each finished deal; empty if the game was stored before this was kept."""
    margins: tuple[int, ...]
    """Points of seat 0 minus those of seat 1 in each of them."""


class Inspection(msgspec.Struct, frozen=True):
    """What was found when a run looked whether its level of isolation holds on its machine."""

    time: str
    """When: UTC, in ISO 8601."""
    isolation: str
    """The level that was looked at."""
    digest: str
    """SHA-256 of the findings, lower-case hex."""
    findings: tuple[dict[str, Any], ...]
    """One for each attack that was tried (JSON values)."""


GameColumns = tuple[Any, ...]
"""The columns of `games` but the match."""
PlayColumns = tuple[Any, ...]
"""The columns of `plays` but the match."""

_NUMBERS = msgspec.json.Decoder(tuple[int, ...])
_CANONICAL = msgspec.json.Encoder(order="sorted")


def game_columns(game: GameResult) -> GameColumns:
    """Return the narrow part of a record."""
    end = game.end
    fault = (end.seat, end.fault, end.detail, end.got) if isinstance(end, Forfeit) else (None,) * 4
    sums = (to_json(game.decisions), to_json(game.spent_us))
    in_force = (game.tables, game.isolation, game.pondering)
    measured = (to_json(game.cpu_us), game.lag_us, _packed(game))
    board, seating = game.id.board, game.id.seating
    return (board, seating, game.winner, to_json(game.points), *fault, *sums, *in_force, *measured)


def play_columns(game: GameResult) -> PlayColumns | None:
    """Return the long part of a record; None: of a mere result there is none."""
    packed = game.packed if isinstance(game, GameRecord) else game
    if not isinstance(packed, PackedRecord):
        return None
    return game.id.board, game.id.seating, packed.actions, packed.times_us, packed.notes


def game_of(match: Match, game: GameColumns, play: tuple[str | None, ...]) -> GameResult:
    """Put together again what is stored of a game."""
    board, seating, winner, points, seat, fault, detail, got, *more = game
    decisions, spent_us, tables, isolation, pondering, cpu_us, lag_us, deals = more
    end = Target() if seat is None else Forfeit(seat, fault or "", detail or "", got or "")
    result = (
        GameId(match, board, seating),
        numbers(points),
        winner,
        end,
        numbers(decisions),
        numbers(spent_us),
        tables,
        isolation,
        pondering,
        numbers(cpu_us),
        lag_us,
        *deals_of(deals),
    )
    actions, times_us, notes = play
    if actions is None or times_us is None or notes is None:
        return GameResult(*result)
    return PackedRecord(*result, actions=actions, times_us=times_us, notes=notes).record


def _packed(game: GameResult) -> str:
    """Write each deal as one small number, so that the narrow table stays narrow."""
    deals = zip(game.dealers, game.margins, strict=True)
    return to_json([2 * margin + dealer for dealer, margin in deals])


def deals_of(text: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Read dealers and margins from the column `deals`."""
    deals = numbers(text)
    # Lists, because tuples are made from them faster than from generators.
    return tuple([deal & 1 for deal in deals]), tuple([deal >> 1 for deal in deals])


def numbers(text: str) -> tuple[int, ...]:
    """Read a column that holds whole numbers."""
    return _NUMBERS.decode(text)


def to_json(value: object) -> str:
    """Encode a value canonically: sorted keys, no spaces."""
    return _CANONICAL.encode(value).decode()


def match_key(match: Match) -> str:
    """Return how a match is written in the store, such as ``a@1:b@1``."""
    return ":".join(match)


def match_of(key: str) -> Match:
    """Read what `match_key` wrote."""
    return tuple(key.split(":"))
