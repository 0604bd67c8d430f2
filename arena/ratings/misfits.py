"""Matches that came out otherwise than the ratings of their bots say: cycles, specialists.

A rating is one number for each bot. Where bots beat each other in a circle, no numbers fit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from arena.ratings.bradley_terry import Floats, GroupFit, chances
from arena.ratings.critical import chance_above
from arena.ratings.intervals import Uncertainty, between
from arena.ratings.ratings import Misfit

_MOST = 3
_NO_ROOM = 1e-6
"""Below this share of its variance a match has none left: it alone decides what it is judged by."""


def find_misfits(
    fits: Iterable[tuple[GroupFit, Uncertainty | None]], names: Sequence[str]
) -> tuple[Misfit, ...]:
    """Return the matches that fit worst, worst first.

    e = w - n p of the w games won is judged by its standard error. The ratings follow the match
    itself, so with W = n p (1 - p), R and V the variances of the difference by A and by V,
    var e = m - 2 W m R + W^2 V, for m what w varies by.
    """
    found = [
        one
        for fit, known in fits
        # Priors and anchors that contradict each other bend ratings: that is no misfit.
        if known and not fit.precision and fit.fixed.sum() <= 1
        for one in _of_group(fit, known, names)
    ]
    if not found:
        return ()
    chance = holm([one.chance for one in found])
    worst = sorted(zip(found, chance, strict=True), key=lambda pair: -pair[0].standard_errors)
    return tuple(replace(one, chance=adjusted) for one, adjusted in worst[:_MOST])


def holm(chances_alone: Sequence[float]) -> list[float]:
    """Adjust the p values of several tests, in their order (Holm 1979)."""
    order = sorted(range(len(chances_alone)), key=lambda i: chances_alone[i])
    adjusted = [0.0] * len(order)
    least = 0.0
    for place, i in enumerate(order):
        least = max(least, min(1.0, (len(order) - place) * chances_alone[i]))
        adjusted[i] = least
    return adjusted


def _of_group(fit: GroupFit, known: Uncertainty, names: Sequence[str]) -> Iterator[Misfit]:
    """Yield each match that can be judged, `chance` being its own p value."""
    played, p = fit.played.among(np.flatnonzero(fit.core)), chances(fit.judged_by)
    own = [names[i] for i in fit.members.bots[fit.core]]
    expected = played.games * p
    errors = _standard_errors(played.games, p, known)
    excess = played.wins - expected
    for a, b in np.argwhere((errors > 0) & (excess > 0)):
        standard_errors = float(excess[a, b] / errors[a, b])
        yield Misfit(
            own[a],
            own[b],
            int(played.games[a, b]),
            float(played.wins[a, b]),
            float(expected[a, b]),
            standard_errors,
            2 * chance_above(-standard_errors, float(known.freedom[a, b])),
        )


def _standard_errors(games: Floats, p: Floats, known: Uncertainty) -> Floats:
    """Return at [a, b] that of games won less games expected; 0 where it cannot be judged."""
    weight = games * p * p.T
    m = known.scatter
    pull = between(known.inverse)
    variance = m - 2 * weight * m * pull + weight**2 * between(known.covariance)
    return np.sqrt(np.where(variance > _NO_ROOM * m, variance, 0.0))
