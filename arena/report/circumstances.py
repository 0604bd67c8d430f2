"""How games were played: isolation, pondering, and how late the arena itself was."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import msgspec

from arena.text import count

_US_PER_STEP = 10
"""Lags are told apart so finely."""
_STEPS_PER_MS = 100
_PERCENTS = (50, 99)
_SHOWN_DIGITS = 12
_UNPROTECTED = "none"


class Lag(msgspec.Struct, frozen=True):
    """How late the arena was during a game, in milliseconds; nobody was charged for it."""

    p50: float
    p99: float


@dataclass(frozen=True)
class Circumstances:
    """How the games that count were played."""

    isolation: Mapping[str, int] = field(default_factory=dict)
    """Games by level."""
    pondering: Mapping[str, int] = field(default_factory=dict)
    """Games by whether a bot that was not asked could go on: ``allow`` or ``suspend``."""
    lag: Lag | None = None
    """None: in no game was it measured."""
    inspection: str | None = None
    """Digest of what the last run found when it looked whether its level holds."""

    @property
    def remark(self) -> str:
        """All of it in one line; empty if there is no game."""
        if not self.isolation:
            return ""
        parts = [f"isolation: {_shares(self.isolation)}", f"pondering: {_shares(self.pondering)}"]
        if self.lag is not None:
            lag = f"p50 {self.lag.p50:g} ms, p99 {self.lag.p99:g} ms"
            parts.append(f"lateness of the arena in a game: {lag}")
        if self.inspection is not None:
            parts.append(f"inspection {self.inspection[:_SHOWN_DIGITS]}")
        return "; ".join(parts)

    def warnings(self) -> Iterator[str]:
        """Yield what makes the games less comparable or less safe, one sentence each."""
        if len(self.isolation) > 1:
            yield f"Games were played at different levels of isolation: {_list(self.isolation)}."
        if len(self.pondering) > 1:
            yield f"Games were played with different pondering: {_list(self.pondering)}."
        if _UNPROTECTED in self.isolation:
            yield "Isolation none protects nothing: a bot could read, change and end what it liked."


class Watch:
    """Counts the circumstances of games as they stream by, in little memory."""

    def __init__(self) -> None:
        """Nothing is counted yet."""
        self._kinds = Counter[tuple[str, str]]()
        self._lags = Counter[int]()

    def take(self, isolation: str, pondering: str, lag_us: int | None) -> None:
        """Count a game; `lag_us` is None if nobody measured it."""
        self._kinds[isolation, pondering] += 1
        if lag_us is not None:
            self._lags[lag_us // _US_PER_STEP] += 1

    def circumstances(self, inspection: str | None) -> Circumstances:
        """Return what was counted."""
        isolation, pondering = Counter[str](), Counter[str]()
        for (level, kind), games in self._kinds.items():
            isolation[level] += games
            pondering[kind] += games
        return Circumstances(
            dict(sorted(isolation.items())),
            dict(sorted(pondering.items())),
            self._lag(),
            inspection,
        )

    def _lag(self) -> Lag | None:
        if not self._lags:
            return None
        return Lag(*(self._percentile(percent) / _STEPS_PER_MS for percent in _PERCENTS))

    def _percentile(self, percent: int) -> int:
        """Return the least lag that so many percent of the games do not exceed."""
        seen, games = 0, self._lags.total()
        for lag, number in sorted(self._lags.items()):
            seen += number
            if seen * 100 >= percent * games:
                return lag
        raise AssertionError("there is no game")  # pragma: no cover


def _shares(games: Mapping[str, int]) -> str:
    """Name the one that was in force, or how many games each was in force for."""
    return _list(games) if len(games) > 1 else next(iter(games))


def _list(games: Mapping[str, int]) -> str:
    return ", ".join(f"{count(number, 'game')} with {name}" for name, number in games.items())
