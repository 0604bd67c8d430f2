"""How far and how fast a run is; no clock of its own: every time comes in, in seconds."""

from __future__ import annotations

from collections import deque

_LINES_IN_ALL = 10
_SECONDS_BETWEEN_LINES = 30
_SECONDS_MEASURED = 60
"""The rate is that of so much time, so that it follows when bots become quicker or slower."""
_SECONDS_APART = 1
"""Of the moments that are remembered for it."""
_SLOW = 10
"""Below so many games a second, a tenth of a game is shown."""
_MINUTE_S, _HOUR_S = 60, 3600
_UNITS_UP_TO = 100
"""So many seconds or minutes are shown as such."""


class Course:
    """How many games are settled, how fast that goes, and when a plain line about it is due.

    A line is due when another tenth of all games is settled and half a minute has gone by:
    whichever is rarer.
    """

    def __init__(self, *, settled: int, total: int, now_s: float) -> None:
        """Begin a run that has so many games of its schedule behind it."""
        self._total = total
        self._settled = self._line_at = settled
        self._line_s = now_s
        self._moments = deque([(now_s, settled)])

    @property
    def share(self) -> float:
        """The part of all games that is settled, from 0 to 1."""
        return self._settled / self._total if self._total else 1

    def advance(self, settled: int, now_s: float) -> None:
        """Take in how many games are settled now."""
        self._settled = settled
        if now_s - self._moments[-1][0] >= _SECONDS_APART:
            self._moments.append((now_s, settled))
        while len(self._moments) > 1 and now_s - self._moments[1][0] >= _SECONDS_MEASURED:
            self._moments.popleft()

    def text(self, now_s: float) -> str:
        """Say how far it is: ``3240/6000 games  54%  412 games/s  6 s left``."""
        rate = self._rate(now_s)
        speed = f"{rate:.1f}" if 0 < rate < _SLOW else f"{rate:.0f}"
        # Rounded down: only a finished run is at 100 %.
        parts = [f"{self._settled}/{self._total} games", f"{int(self.share * 100)}%"]
        parts.append(f"{speed} games/s")
        if rate and self._settled < self._total:
            parts.append(f"{_duration((self._total - self._settled) / rate)} left")
        return "  ".join(parts)

    def line(self, now_s: float) -> str | None:
        """Return the text if a line is due."""
        has_tenth = (self._settled - self._line_at) * _LINES_IN_ALL >= self._total
        if not has_tenth or now_s - self._line_s < _SECONDS_BETWEEN_LINES:
            return None
        self._line_at, self._line_s = self._settled, now_s
        return self.text(now_s)

    def _rate(self, now_s: float) -> float:
        """Return how many games a second were settled in this run of late."""
        since_s, since = self._moments[0]
        return (self._settled - since) / (now_s - since_s) if now_s > since_s else 0.0


def _duration(seconds: float) -> str:
    if seconds < _UNITS_UP_TO:
        return f"{seconds:.0f} s"
    if seconds < _UNITS_UP_TO * _MINUTE_S:
        return f"{seconds / _MINUTE_S:.0f} min"
    hours, rest = divmod(seconds, _HOUR_S)
    return f"{hours:.0f} h {rest // _MINUTE_S:.0f} min"
