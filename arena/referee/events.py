"""What a referee is told (events) and what it wants done (effects). Only values live here."""

from __future__ import annotations

import msgspec

from arena.referee.fault import Fault
from arena.referee.record import GameRecord, Void


class GameStarted(msgspec.Struct, frozen=True):
    """Both seats are ready: ask the first decision."""


class Replied(msgspec.Struct, frozen=True):
    """The bot on `seat` answered its open decision."""

    seat: int
    seq: int
    action: str
    elapsed_us: int
    """Wall time charged for this decision, in microseconds."""
    note: str | None = None


class DeadlinePassed(msgspec.Struct, frozen=True):
    """No answer came to the open decision of `seat` within its limit and grace."""

    seat: int


class SeatLost(msgspec.Struct, frozen=True):
    """The bot on `seat` committed a fault that ends this game."""

    seat: int
    fault: Fault


class Cancelled(msgspec.Struct, frozen=True):
    """The arena cannot go on with this game."""

    cause: str


Event = GameStarted | Replied | DeadlinePassed | SeatLost | Cancelled


class Ask(msgspec.Struct, frozen=True):
    """Ask the bot on `seat` for an action."""

    seat: int
    seq: int
    """Counts this seat's decisions of the game from 0."""
    legal: tuple[str, ...]
    budget_ms: int
    """What the decision may take, without the grace."""
    view: msgspec.Struct


class Inform(msgspec.Struct, frozen=True):
    """Tell every seat that the game is over, and how."""

    points: tuple[int, ...]
    winner: int | None
    fault_seat: int | None = None
    fault: Fault | None = None


class Finished(msgspec.Struct, frozen=True):
    """The game is settled, or void; the referee wants nothing more."""

    record: GameRecord | Void


Effect = Ask | Inform | Finished
