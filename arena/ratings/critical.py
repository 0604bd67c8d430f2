"""Critical values: how many standard errors it takes to be sure.

How much boards vary is itself estimated, from `freedom` degrees of freedom (boards less free
ratings), so quantiles are Student's and not the normal ones.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaincinv, ndtr, stdtr, stdtrit

from arena.ratings.ratio import HalfWidth
from arena.ratings.roots import root

_OUTER, _INNER = np.polynomial.legendre.leggauss(96), np.polynomial.legendre.leggauss(160)
_FURTHEST = 9.0
"""In standard deviations: what lies outside is nothing."""
_WIDTHS = np.linspace(0.0, 2 * _FURTHEST, 4001)
"""At which the range is computed; between them it is straight but for a millionth."""
_LEAST_FREEDOM = 0.5
_NODES = 12
_SAME = 1e-9
_MANY = 1e6
"""With more degrees of freedom the deviation is as good as known."""


def two_sided(confidence: float, freedom: float) -> float:
    """Half width in standard errors of an interval for one difference: 1.96 for many boards."""
    return float(stdtrit(freedom, (1 + confidence) / 2))


def two_sided_each(confidence: float, freedom: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return `two_sided` for each of `freedom`."""
    return np.array([two_sided(confidence, float(one)) for one in freedom])


def table(confidence: float, freedom: NDArray[np.float64], bots: int) -> NDArray[np.float64]:
    """Return `simultaneous` for each of `freedom`, interpolated on the safe side."""
    inverse = 1 / np.maximum(freedom, _LEAST_FREEDOM)
    nodes = np.linspace(inverse.min(), inverse.max(), _NODES)
    if inverse.max() - inverse.min() < _SAME:
        nodes = nodes[-1:]
    values = [simultaneous(confidence, 1 / node if node else math.inf, bots) for node in nodes]
    return np.interp(inverse, nodes, values)


def student(confidence: float) -> HalfWidth:
    """Return `two_sided` for what is estimated from so many boards and nothing else.

    12.7 for 2 boards and 0.95, 1.96 for many.
    """
    return lambda boards: two_sided(confidence, boards - 1)


def chance_above(standard_errors: float, freedom: float) -> float:
    """Return P(better) of a bot whose rating is so many standard errors above another's."""
    return float(stdtr(freedom, standard_errors))


@lru_cache(maxsize=256)
def simultaneous(confidence: float, freedom: float, bots: int) -> float:
    """Half width in standard errors that holds for all differences among `bots` at once.

    The quantile of the studentised range divided by sqrt(2) (Tukey 1953); where matches have
    unequal boards it errs on the safe side (Hayter 1984).
    """
    if bots <= 2:  # noqa: PLR2004 - one difference
        return two_sided(confidence, freedom)
    cdf = _studentised_range(freedom, bots)
    highest = 4 * two_sided(confidence, freedom)
    while cdf(highest) < confidence:
        highest *= 2
    return root(lambda q: cdf(q) - confidence, 0.0, highest, within=1e-9) / math.sqrt(2)


def _studentised_range(freedom: float, bots: int) -> Callable[[float], float]:
    """Return P(range of so many standard normals / their estimated deviation <= q)."""
    u, weights = (_OUTER[0] + 1) / 2, _OUTER[1] / 2
    # The deviation, at quantiles of its distribution: chi / sqrt(freedom).
    known = freedom > _MANY
    deviation = np.ones_like(u) if known else np.sqrt(2 * gammaincinv(freedom / 2, u) / freedom)
    chances = _normal_range(bots)
    return lambda q: float(weights @ np.interp(q * deviation, _WIDTHS, chances))


@lru_cache(maxsize=32)
def _normal_range(bots: int) -> NDArray[np.float64]:
    """Return P(range <= width) for `_WIDTHS`: the lowest anywhere, the others that far above it."""
    z, z_weights = _INNER[0] * _FURTHEST, _INNER[1] * _FURTHEST
    density = z_weights * np.exp(-(z**2) / 2) / math.sqrt(2 * math.pi)
    within = ndtr(z[None, :] + _WIDTHS[:, None]) - ndtr(z)[None, :]
    chances: NDArray[np.float64] = bots * (density * within ** (bots - 1)).sum(axis=1)
    return chances
