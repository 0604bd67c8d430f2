"""Being asked to stop: what a signal handler writes and a run reads."""

from __future__ import annotations


class Stopping:
    """How urgently a run shall end: once asked, running games finish; twice, they are dropped."""

    def __init__(self) -> None:
        self._signals: list[int] = []

    def request(self, signal: int) -> None:
        """Ask once more; safe in a signal handler."""
        self._signals.append(signal)

    @property
    def signal(self) -> int | None:
        """The first signal that asked to stop; None if none did."""
        return self._signals[0] if self._signals else None

    @property
    def at_once(self) -> bool:
        """Whether to drop the running games too."""
        return len(self._signals) > 1
