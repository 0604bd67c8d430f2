"""Time as arithmetic: nothing here reads a clock."""

from __future__ import annotations

import msgspec


class Limits(msgspec.Struct, frozen=True):
    """How long a bot may take, in milliseconds of wall time."""

    move_ms: int = 1_000
    """For one decision."""
    game_ms: int | None = 60_000
    """For all decisions of one game together (the bank); None: no such limit."""
    start_ms: int = 10_000
    """From the start of the process until it is ready; never charged to a move."""
    grace_ms: int = 50
    """On top of each limit of a decision, for transport."""
