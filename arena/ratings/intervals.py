"""How sure fitted ratings are: covariance from boards, never from games taken as independent.

The two games of a board share their cards and are strongly correlated, so the board is the unit:
V = A M A with A the inverse information and M what the boards' scores really varied by. All on
the theta scale; the last step to Elo is the caller's.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from scipy.special import stdtrit

from arena.ratings.bradley_terry import (
    Crosstable,
    Floats,
    GroupFit,
    chances,
    information,
    laplacian,
)
from arena.ratings.groups import Counts, Mask
from arena.ratings.ratio import HalfWidth

FEW_BOARDS = 20
"""Below this many boards a match's own variance is too rough; phi takes its place."""

_NOTHING = 1e-9
"""A phi below this is rounding: every board was split."""


def student(confidence: float) -> HalfWidth:
    """Return the quantiles for what is estimated from boards alone, however few they are.

    Student's t with one degree of freedom fewer than boards: 12.7 for 2 boards and 0.95, 1.96 for
    many.
    """
    return lambda boards: float(stdtrit(boards - 1, (1 + confidence) / 2))


def pooled_phi(fits: Iterable[GroupFit]) -> float | None:
    """Return the dispersion of board scores, pooled over all fitted bots; 1 + correlation.

    phi = G / (G - f) * sum (y - 2p)^2 / sum 2 p (1 - p) over G boards, y in 0, 1, 2 the games
    won, f free ratings. None if it says nothing: no boards to spare, or all of them split.
    """
    boards = free = observed = independent = 0.0
    for group in fits:
        played, theta = _core(group)
        p = chances(theta)
        boards += played.boards.sum() / 2
        free += theta.size - max(group.fixed.sum(), 1) if theta.size else 0
        observed += _squares(played, p).sum() / 2
        independent += (played.boards * 2 * p * p.T).sum() / 2
    if boards <= free or independent <= 0:
        return None
    phi = float(boards / (boards - free) * observed / independent)
    return phi if phi > _NOTHING else None


def covariance(group: GroupFit, phi: float | None) -> Floats | None:
    """Covariance of the core's theta, against its mean or its anchors; None: no information.

    A match's part of M is what its own boards varied by, times G/(G-1); where these are fewer
    than `FEW_BOARDS` or all came out the same (near-equal bots split every board: a variance of
    0 would be falsely exact) it is phi times what independent games would give. If that holds
    for every match, V = phi A.
    """
    played, theta = _core(group)
    if phi is None or not theta.size:
        return None
    p = chances(theta)
    total = played.boards.sum() / 2
    own = _squares(played, p) * total / max(total - 1, 1)
    pooled = phi * 2 * p * p.T * played.boards
    a = inverse_information(2 * played.boards, theta, group.fixed[group.core])
    return a @ laplacian(np.where(_varied(played), own, pooled)) @ a


def inverse_information(games: Counts, theta: Floats, fixed: Mask) -> Floats:
    """Inverse where the ratings are free: against the anchors, else against the mean.

    With anchors their rows are dropped (and 0 in the result); without, A = C (H + 11'/k)^-1 C
    with C = I - 11'/k.
    """
    h = information(games, theta)
    k = theta.size
    if not fixed.any():
        centre = np.eye(k) - 1 / k
        centred: Floats = centre @ np.linalg.inv(h + 1 / k) @ centre
        return centred
    a = np.zeros_like(h)
    free = np.ix_(~fixed, ~fixed)
    a[free] = np.linalg.inv(h[free])
    return a


def _core(group: GroupFit) -> tuple[Crosstable, Floats]:
    return group.played.among(np.flatnonzero(group.core)), group.theta[group.core]


def _squares(played: Crosstable, p: Floats) -> Counts:
    """Return at [a, b] the sum of (y - 2p)^2 over their boards, y the games a won; symmetric."""
    q = p.T
    return (
        played.won_both * (2 * q) ** 2
        + played.split * (q - p) ** 2
        + played.won_both.T * (2 * p) ** 2
    )


def _varied(played: Crosstable) -> Mask:
    """Return at [a, b] whether the match has enough boards, and not all with the same score."""
    boards = played.boards
    most = np.maximum(np.maximum(played.won_both, played.won_both.T), played.split)
    varied: Mask = (boards >= FEW_BOARDS) & (most < boards)
    return varied
