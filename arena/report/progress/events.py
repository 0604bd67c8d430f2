"""What happens in a run, as values: one JSON object each (``arena.event/1``).

Fields may be added, none changes its meaning.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import msgspec

from arena.referee.record import Forfeit, GameResult, name_of
from arena.report.rankings import Rankings
from arena.text import visible

SCHEMA: Literal["arena.event/1"] = "arena.event/1"


class RunningBot(msgspec.Struct, frozen=True):
    """A bot that takes part."""

    name: str
    version: str
    """Such as ``a@1``."""


class RunStarted(msgspec.Struct, frozen=True, tag_field="event", tag="run_started"):
    """What is to be played; the first event."""

    schema: str
    tournament: str
    config: str
    """The config file, absolute."""
    variant: str
    options: dict[str, Any]
    """As given; the variant's others are at their defaults."""
    bots: tuple[RunningBot, ...]
    matches: int
    boards: int
    """Of each match."""
    workers: int
    commitment: str
    """SHA-256 of the secret that all cards come from."""
    scheduled: int = 0
    """Games of the whole tournament."""
    settled: int = 0
    """How many of them need not be played any more."""


class GameEnd(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a game ended, as in an export."""

    kind: Literal["target", "forfeit"]
    seat: int | None = None
    fault: str | None = None
    detail: str | None = None


class GamePlayed(msgspec.Struct, frozen=True, tag_field="event", tag="game"):
    """A game that has just been stored."""

    id: str
    seats: tuple[str, ...]
    points: tuple[int, ...]
    winner: int
    """The seat that won."""
    end: GameEnd


class FaultSeen(msgspec.Struct, frozen=True, tag_field="event", tag="fault"):
    """A game that was lost by a fault: who, which, and what an author needs to see."""

    bot: str
    version: str
    kind: str
    game: str
    detail: str
    """What was expected."""
    got: str
    """What came instead; several lines, or empty."""
    log: str | None
    """The file with what the bot printed; null if it printed nothing."""


class Notice(msgspec.Struct, frozen=True, tag_field="event", tag="notice"):
    """What a person should know at once."""

    text: str


class Ranked(msgspec.Struct, frozen=True, tag_field="event", tag="standings"):
    """How the bots stand now."""

    rankings: Rankings


class RunFinished(msgspec.Struct, frozen=True, tag_field="event", tag="run_finished"):
    """How the run ended; the last event."""

    settled: int
    scheduled: int
    complete: bool
    """Every scheduled game is settled."""
    signal: str | None
    """What interrupted it, such as ``SIGINT``; null if it ended by itself."""
    error: str | None
    """Why it could not go on; null if it could."""
    exit: int
    """The exit code of the command."""


Event = RunStarted | GamePlayed | FaultSeen | Notice | Ranked | RunFinished


def game_played(record: GameResult) -> GamePlayed:
    """Return what is told of any game."""
    match record.end:
        case Forfeit(seat, fault, detail):
            end = GameEnd("forfeit", seat, fault, visible(detail))
        case _:
            end = GameEnd("target")
    seats = record.id.seats
    return GamePlayed(str(record.id), seats, record.points, record.winner, end)


def fault_seen(record: GameResult, logs: Path) -> FaultSeen | None:
    """Return what is told of a game that was lost by a fault; None if it was not.

    `logs` is the folder of what the bots print.
    """
    end = record.end
    if not isinstance(end, Forfeit):
        return None
    version = record.id.seats[end.seat]
    log = logs / f"{name_of(version)}.stderr.log"
    return FaultSeen(
        bot=name_of(version),
        version=version,
        kind=end.fault,
        game=str(record.id),
        detail=visible(end.detail),
        got="\n".join(visible(line) for line in end.got.strip().split("\n")),
        log=str(log) if log.exists() else None,
    )
