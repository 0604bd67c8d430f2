"""What a rating says: plain immutable values and what follows from them by arithmetic.

No numpy here, so that whoever only shows ratings need not load it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Literal

MOST_APART = 5_000
"""Elo between anchors; at this distance the weaker wins one game in 3 * 10^12."""

Bound = Literal[">", "<"]


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
    covariance: tuple[tuple[float, ...], ...] | None
    """Of the ratings of `fitted`, in Elo squared; None where the boards say nothing about it."""

    def variance(self, a: str, b: str) -> float | None:
        """Return V_aa + V_bb - 2 V_ab of the difference of two bots, in Elo squared."""
        v = self.covariance
        if v is None or a not in self.fitted or b not in self.fitted:
            return None
        i, j = self.fitted.index(a), self.fitted.index(b)
        return max(v[i][i] + v[j][j] - 2 * v[i][j], 0.0)


@dataclass(frozen=True, slots=True)
class Difference:
    """Rating of a first bot minus that of a second."""

    elo: float
    error: float | None
    """Half width of its interval; None where not known."""


@dataclass(frozen=True, slots=True)
class Ratings:
    """The ratings of a field of bots and how sure they are."""

    bots: tuple[BotRating, ...]
    """By group, in it best first, equal ones by name; last those without a complete board."""
    groups: tuple[Group, ...]
    """The largest first."""
    above: frozenset[tuple[str, str]]
    """(a, b): a is better than b at this confidence."""
    confidence: float
    phi: float | None
    """Variance of a board's score over what two independent games would give: 1 + correlation."""
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
        variance = self.groups[first.group].variance(a, b)
        error = None if variance is None else quantile(self.confidence) * math.sqrt(variance)
        return Difference(first.elo - second.elo, error)

    def separated(self, a: str, b: str) -> bool:
        """Whether one of the two is better than the other at this confidence."""
        return (a, b) in self.above or (b, a) in self.above


def quantile(confidence: float) -> float:
    """Half width in standard errors of a two-sided normal interval: 1.96 for 0.95."""
    return NormalDist().inv_cdf((1 + confidence) / 2)
