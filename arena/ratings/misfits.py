"""Matches that came out otherwise than the ratings of their bots say: cycles, specialists.

A rating is one number for each bot. Where bots beat each other in a circle, no numbers fit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtr

from arena.ratings.bradley_terry import Floats, GroupFit, chances
from arena.ratings.intervals import Uncertainty, between, fitted_part
from arena.ratings.ratings import Misfit

_MOST = 3
_NO_ROOM = 1e-6
"""Below this share of its variance a match has none left: it alone decides what it is judged by."""


def find_misfits(
    fits: Iterable[tuple[GroupFit, Uncertainty | None]], names: Sequence[str], freedom: float
) -> tuple[Misfit, ...]:
    """Return the matches that fit worst, worst first.

    e = w - n p of the w games won is judged by its standard error. The ratings follow the match
    itself, so with W = n p (1 - p), R and V the variances of the difference by A and by V,
    var e = m - 2 W m R + W^2 V, for m what w varies by.
    """
    found = [one for fit, known in fits if known for one in _of_group(fit, known, names)]
    if not found:
        return ()
    chance = holm([2 * float(stdtr(freedom, -one.standard_errors)) for one in found])
    worst = sorted(zip(found, chance, strict=True), key=lambda pair: -pair[0].standard_errors)
    return tuple(
        Misfit(one.a, one.b, one.games, one.won, one.expected, one.standard_errors, p)
        for one, p in worst[:_MOST]
    )


def holm(chances_alone: Sequence[float]) -> list[float]:
    """Adjust the p values of several tests, in their order (Holm 1979)."""
    order = sorted(range(len(chances_alone)), key=lambda i: chances_alone[i])
    adjusted = [0.0] * len(order)
    least = 0.0
    for place, i in enumerate(order):
        least = max(least, min(1.0, (len(order) - place) * chances_alone[i]))
        adjusted[i] = least
    return adjusted


@dataclass(frozen=True)
class _Candidate:
    a: str
    b: str
    games: int
    won: float
    expected: float
    standard_errors: float


def _of_group(fit: GroupFit, known: Uncertainty, names: Sequence[str]) -> Iterator[_Candidate]:
    played, theta = fitted_part(fit)
    own = [names[i] for i in fit.members.bots[fit.core]]
    expected = played.games * chances(theta)
    errors = _standard_errors(played.games, chances(theta), known)
    excess = played.wins - expected
    for a, b in np.argwhere((errors > 0) & (excess > 0)):
        yield _Candidate(
            own[a],
            own[b],
            int(played.games[a, b]),
            float(played.wins[a, b]),
            float(expected[a, b]),
            float(excess[a, b] / errors[a, b]),
        )


def _standard_errors(games: Floats, p: Floats, known: Uncertainty) -> Floats:
    """Return at [a, b] that of games won less games expected; 0 where it cannot be judged."""
    weight = games * p * p.T
    m = known.scatter
    pull = between(known.inverse)
    variance = m - 2 * weight * m * pull + weight**2 * between(known.covariance)
    return np.sqrt(np.where(variance > _NO_ROOM * m, variance, 0.0))
