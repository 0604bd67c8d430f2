"""How sure fitted ratings are: covariance from boards, never from games taken as independent.

The two games of a board share their cards and are strongly correlated, so the board is the unit:
V = A M A with A the inverse information and M what the boards' scores really varied by. All on
the theta scale; the last step to Elo is the caller's.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from arena.ratings.bradley_terry import (
    Crosstable,
    Floats,
    GroupFit,
    chances,
    information,
    laplacian,
)
from arena.ratings.groups import Counts, Mask

FEW_BOARDS = 20
"""Below this many boards a match's own variance is too rough; phi takes its place."""

_NOTHING = 1e-6
"""What is below this is rounding: every board came out the same."""


@dataclass(frozen=True)
class Dispersion:
    """How much boards vary around what the ratings expect, over all fitted bots."""

    phi: float
    """Variance of a board's score over that of two independent games: 1 + correlation."""
    freedom: float
    """Degrees of freedom that it is estimated from: boards less free ratings."""


def pooled_dispersion(fits: Iterable[GroupFit]) -> Dispersion | None:
    """Estimate the dispersion; None if it says nothing: no boards to spare, or all were split.

    phi = G / (G - f) * sum (s - n p)^2 / sum n p (1 - p) over G boards of n games, of which s
    were won, with f free ratings (Pearson's statistic over its degrees of freedom).
    """
    boards = free = observed = independent = 0.0
    for group in fits:
        played, theta = fitted_part(group)
        p = chances(theta)
        boards += played.boards.sum() / 2
        free += theta.size - max(group.fixed.sum(), 1) if theta.size else 0
        observed += played.squares(p).sum() / 2
        independent += (played.games * p * p.T).sum() / 2
    if boards <= free or independent <= 0:
        return None
    phi = float(boards / (boards - free) * observed / independent)
    return Dispersion(phi, float(boards - free)) if phi > _NOTHING else None


@dataclass(frozen=True, eq=False)
class Uncertainty:
    """What the fitted bots of a group are known by; all by place among them, on the theta scale."""

    inverse: Floats
    """A: the inverse information."""
    scatter: Counts
    """[a, b]: what the games won in their match vary by; symmetric."""
    covariance: Floats
    """V = A M A: of the ratings, against their mean or their anchors."""


def uncertainty(group: GroupFit, dispersion: Dispersion | None) -> Uncertainty | None:
    """Estimate the covariance of the fitted ratings; None: no information.

    A match's part of M is what its own boards varied by; where these are fewer than
    `FEW_BOARDS` or all came out the same (near-equal bots split every board: a variance of 0
    would be falsely exact) it is phi times what independent games would give. If that holds for
    every match, V = phi A. There is no factor G/(G-1): Student's quantiles allow for few
    boards, and both together would make too much of it (two bots, 20 boards: 96.3 % in place of
    95). A prior adds its precision to M as to the information, so that with games as
    independent as the model says V is the covariance of the posterior distribution.
    """
    played, theta = fitted_part(group)
    if dispersion is None or not theta.size:
        return None
    p = chances(theta)
    own = played.squares(p)
    pooled = dispersion.phi * p * p.T * played.games
    scatter = np.where(_varied(played), own, pooled)
    fixed = group.fixed[group.core]
    a = inverse_information(played.games, theta, fixed, group.precision)
    middle = laplacian(scatter) + group.precision * np.eye(theta.size)
    return Uncertainty(a, scatter, centred(a @ middle @ a, fixed))


def inverse_information(
    games: Counts, theta: Floats, fixed: Mask, precision: float = 0.0
) -> Floats:
    """Inverse where the ratings are free: against the anchors, else against the mean.

    With anchors their rows are dropped (and 0 in the result); without, A = C (H + 11'/k)^-1 C
    with C = I - 11'/k. A prior adds its `precision` to H.
    """
    h = information(games, theta) + precision * np.eye(theta.size)
    if not fixed.any():
        return centred(np.linalg.inv(h + np.full((theta.size, theta.size), 1 / theta.size)), fixed)
    a = np.zeros_like(h)
    free = np.ix_(~fixed, ~fixed)
    a[free] = np.linalg.inv(h[free])
    return a


def centred(matrix: Floats, fixed: Mask) -> Floats:
    """Take a covariance against the mean of all, unless anchors hold them."""
    if fixed.any():
        return matrix
    centre = np.eye(fixed.size) - 1 / fixed.size
    against_the_mean: Floats = centre @ matrix @ centre
    return against_the_mean


def fitted_part(group: GroupFit) -> tuple[Crosstable, Floats]:
    """Return the boards among the fitted bots of a group, and their theta."""
    return group.played.among(np.flatnonzero(group.core)), group.theta[group.core]


def between(covariance: Floats) -> Floats:
    """Return at [a, b] the variance of the difference: V_aa + V_bb - 2 V_ab."""
    own = np.diag(covariance)
    return np.maximum(own[:, None] + own[None, :] - 2 * covariance, 0.0)


def _varied(played: Crosstable) -> Mask:
    """Return at [a, b] whether the match has enough boards, and not all with the same score."""
    with np.errstate(invalid="ignore"):
        share = np.where(played.games > 0, played.wins / played.games, 0.5)
    varied: Mask = (played.boards >= FEW_BOARDS) & (played.squares(share) > _NOTHING)
    return varied
