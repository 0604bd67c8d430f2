"""What a rating says: plain immutable values and what follows from them by arithmetic."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

Bound = Literal[">", "<"]
Square = tuple[tuple[float, ...], ...]

_EQUAL = 1e-6
"""Elo; what differs by less is rounding."""


@dataclass(frozen=True, slots=True)
class BotRating:
    """One bot. All in Elo; what is not known is None, never infinite."""

    bot: str
    elo: float | None = None
    """None without a complete board."""
    error: float | None = None
    """Half width of the interval against the mean of the fitted bots, or against the anchors.

    Never to be combined with another bot's error: see `Ratings.difference`. None at a bound and
    where the boards say nothing about it; 0 for an anchor.
    """
    bound: Bound | None = None
    """">": `elo` is a lower bound, all games that count were won; "<": the opposite."""
    group: int | None = None
    """Number of the group whose scale `elo` is on, from 0."""
    rank: tuple[int, int] | None = None
    """In the group: (1 + bots separated above it, bots in the group - bots separated below it)."""


@dataclass(frozen=True, slots=True)
class Group:
    """Bots on a common scale. Elo of different groups cannot be compared."""

    bots: tuple[str, ...]
    """Best first."""
    fitted: tuple[str, ...]
    """Those with a maximum-likelihood rating; the others are at a bound."""
    covariance: Square | None
    """Of the ratings of `fitted`, in Elo squared; None where the boards say nothing about it."""
    freedom: Square | None
    """Degrees of freedom of the difference of each two of `fitted`."""
    critical: Square | None
    """Standard errors that separate each two of `fitted`, so that all claims hold together."""

    def variance(self, a: str, b: str) -> float | None:
        """Return V_aa + V_bb - 2 V_ab of the difference of two bots, in Elo squared."""
        v, places = self.covariance, self._places(a, b)
        if v is None or places is None:
            return None
        i, j = places
        return max(v[i][i] + v[j][j] - 2 * v[i][j], 0.0)

    def at(self, square: Square | None, a: str, b: str) -> float | None:
        """Return what stands in `freedom` or `critical` for two bots."""
        places = self._places(a, b)
        return None if square is None or places is None else square[places[0]][places[1]]

    def _places(self, a: str, b: str) -> tuple[int, int] | None:
        if a not in self.fitted or b not in self.fitted:
            return None
        return self.fitted.index(a), self.fitted.index(b)


@dataclass(frozen=True, slots=True)
class Difference:
    """Rating of a first bot minus that of a second, in Elo."""

    elo: float
    error: float | None
    """Half width of its interval; None where not known."""
    better: float | None
    """P(the first is better), for this difference on its own; None where not known."""
    separated: bool
    """Whether one is better than the other for sure, all claims about the group together."""
    boards_factor: float | None
    """So many times the present boards would separate them, if they differ by as much as it seems.

    None where that is not known, and where they are separated.
    """

    freedom: float | None
    """Degrees of freedom of its error; None where not known."""

    @property
    def is_settled(self) -> bool:
        """Whether its own interval leaves out 0; for one difference that was asked about."""
        return self.error is not None and abs(self.elo) > self.error


@dataclass(frozen=True, slots=True)
class Misfit:
    """A match that came out otherwise than the two ratings say."""

    a: str
    """The bot that won more than expected."""
    b: str
    games: int
    won: float
    """Games that `a` won; a drawn one is half."""
    expected: float
    standard_errors: float
    """`won` - `expected` in standard errors."""
    chance: float
    """Of so large a misfit in any match if ratings told all (Holm 1979 over all matches)."""


@dataclass(frozen=True, slots=True)
class Sequential:
    """A match whose number of boards followed from its results: its interval would be naive."""

    a: str
    b: str
    above: tuple[str, str] | None = None
    """(Better, worse) if the stop decided that."""


@dataclass(frozen=True, slots=True)
class Ratings:
    """The ratings of a field of bots and how sure they are."""

    bots: tuple[BotRating, ...]
    """By group, in it best first, equal ones by name; last those without a complete board."""
    groups: tuple[Group, ...]
    """The largest first."""
    above: frozenset[tuple[str, str]]
    """(a, b): a is better than b, all claims about a group together at this confidence."""
    confidence: float
    phi: float | None
    """Variance of a board's score over what two independent games would give: 1 + correlation."""
    prior: float | None
    """Standard deviation of the prior in Elo, if there is one."""
    sequential: Sequential | None
    misfits: tuple[Misfit, ...]
    """The matches that fit worst, worst first, some at most."""
    notices: tuple[str, ...]
    """What a person must know to read the numbers, one sentence each."""

    def of(self, bot: str) -> BotRating:
        """Return the rating of `bot`; raises `KeyError` if it takes no part."""
        for rating in self.bots:
            if rating.bot == bot:
                return rating
        raise KeyError(bot)

    def difference(self, a: str, b: str) -> Difference | None:
        """Rating of `a` minus rating of `b`; None if they are not on a common scale.

        Its error comes from the full covariance: the same whatever the mean or the anchor is.
        """
        first, second = self.of(a), self.of(b)
        if first.elo is None or second.elo is None or first.group is None:
            return None
        if first.group != second.group:
            return None
        elo, separated = first.elo - second.elo, self.separated(a, b)
        if abs(elo) < _EQUAL:
            elo = 0.0
        group = self.groups[first.group]
        variance = None if self._is_sequential(a, b) else group.variance(a, b)
        freedom, critical = group.at(group.freedom, a, b), group.at(group.critical, a, b)
        if variance is None or freedom is None or critical is None:
            return Difference(elo, None, None, separated, None, None)
        deviation = math.sqrt(variance)
        if not deviation:  # two anchors
            return Difference(elo, 0.0, None, separated, None, None)
        from arena.ratings.critical import (  # noqa: PLC0415 - not for who only shows values
            chance_above,
            two_sided,
        )

        error = two_sided(self.confidence, freedom) * deviation
        better = chance_above(elo / deviation, freedom)
        needed = None if separated or not elo else (critical * deviation / elo) ** 2
        return Difference(elo, error, better, separated, needed, freedom)

    def separated(self, a: str, b: str) -> bool:
        """Whether one of the two is better than the other at this confidence."""
        return (a, b) in self.above or (b, a) in self.above

    def _is_sequential(self, a: str, b: str) -> bool:
        return self.sequential is not None and {a, b} == {self.sequential.a, self.sequential.b}
