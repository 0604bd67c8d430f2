"""Time as arithmetic: nothing here reads a clock."""

from __future__ import annotations

import msgspec

from arena.referee.fault import Fault


class Limits(msgspec.Struct, frozen=True):
    """What a bot may take: milliseconds of wall time, bytes of memory, processes."""

    move_ms: int = 1_000
    """For one decision."""
    game_ms: int | None = 60_000
    """For all decisions of one game together (the bank); None: no such limit."""
    start_ms: int = 10_000
    """From the start of the process until it is ready; never charged to a move."""
    grace_ms: int = 50
    """On top of each limit of a decision, for transport."""
    memory_bytes: int = 512_000_000
    """Of all its processes together."""
    processes: int = 64
    """And threads, of all that it starts together."""


class Clock(msgspec.Struct, frozen=True):
    """What one seat has used of its bank in one game."""

    limits: Limits
    spent_us: int = 0

    @property
    def budget_ms(self) -> int:
        """What the next decision may take: the move limit, or the rest of the bank if less."""
        limits = self.limits
        if limits.game_ms is None:
            return limits.move_ms
        left_ms = limits.game_ms - self.spent_us // 1000
        if left_ms >= limits.move_ms:
            return limits.move_ms
        return max(0, left_ms)

    def overrun(self, elapsed_us: int) -> bool:
        """Whether a decision that took `elapsed_us` came after its budget and grace."""
        return elapsed_us > (self.budget_ms + self.limits.grace_ms) * 1000

    def charge(self, elapsed_us: int) -> Clock:
        """Return the clock after a decision of that length."""
        return Clock(self.limits, self.spent_us + elapsed_us)

    def timeout(self, seq: int) -> Fault:
        """Say which limit a decision has overrun."""
        grace = f"(+{self.limits.grace_ms})"
        if self.budget_ms < self.limits.move_ms:
            text = f"the game's {self.limits.game_ms} ms {grace} ran out at decision {seq}"
        else:
            text = f"no answer in {self.limits.move_ms} ms {grace} at decision {seq}"
        return Fault("timeout", text)
