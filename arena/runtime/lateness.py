"""How late the loop is for what it has to do: time that no bot is charged for.

Only numbers: no clock is read here. The loop puts its own clock back by what is counted here, so
that it stands still while the arena is late, and with it every deadline and every bot's time.
"""

from __future__ import annotations

_NS_PER_MS = 1_000_000
USUAL_NS = 10 * _NS_PER_MS
"""Nobody is woken up on the dot, and the loop has work of its own; the grace covers this much."""
STALL_NS = 250 * _NS_PER_MS
"""Later than this, nobody can say how long a bot took for what it was asked."""


class Suspension:
    """Whether the machine was suspended, so that every clock but one stood still.

    `ahead_ns` is by how much that one is ahead of the games' own: it grows by nothing else.
    """

    def __init__(self, ahead_ns: int) -> None:
        """Begin with a first look at both clocks."""
        self._ahead_ns = ahead_ns

    def notice(self, ahead_ns: int) -> bool:
        """Look again; return whether it was suspended meanwhile for so long that it is a stall."""
        before_ns, self._ahead_ns = self._ahead_ns, ahead_ns
        return ahead_ns - before_ns > STALL_NS


class Lateness:
    """What the loop was late by in all."""

    def __init__(self) -> None:
        self.total_ns = 0

    def notice(self, now_ns: int, due_ns: int) -> int:
        """Return by how much the loop is late that should have been here at `due_ns`; count it.

        Both are times on its own clock, which is to show `due_ns` afterwards if it is late at all.
        """
        late_ns = now_ns - due_ns
        if late_ns <= USUAL_NS:
            return 0
        self.total_ns += late_ns
        return late_ns
