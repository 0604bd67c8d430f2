"""How sure fitted ratings are: covariance from boards, never from games taken as independent.

The two games of a board share their cards and are strongly correlated, so the board is the unit:
V = A M A with A the inverse information and M what the boards' scores really varied by. All on
the theta scale; the last step to Elo is the caller's.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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
    """How much boards vary around what the ratings expect."""

    phi: float
    """Variance of a board's score over that of two independent games: 1 + correlation."""
    freedom: float
    """Degrees of freedom that it is estimated from: boards less free ratings."""


def pooled_phi(fits: Iterable[GroupFit]) -> float | None:
    """Return phi over the boards of all fitted bots; None if they say nothing of it."""
    sums = np.zeros(4)
    for group in fits:
        if group.core.any():
            sums += _sums(
                *_judged(group), of=group.played.among(np.flatnonzero(group.core)).boards > 0
            )
    found = _dispersion(*sums)
    return None if found is None else found.phi


@dataclass(frozen=True, eq=False)
class Uncertainty:
    """What the fitted bots of a group are known by; all by place among them, on the theta scale."""

    inverse: Floats
    """A: the inverse information."""
    scatter: Counts
    """[a, b]: what the games won in their match vary by; symmetric."""
    covariance: Floats
    """V = A M A: of the ratings, against their mean or their anchors."""
    freedom: Floats
    """[a, b]: degrees of freedom of their difference; [a, a]: of a's rating against the mean."""


def uncertainty(group: GroupFit) -> Uncertainty | None:
    """Estimate the covariance of the fitted ratings; None: no information.

    A match's part of M is what its own boards varied by. Where these are fewer than `FEW_BOARDS`
    it is phi times what independent games would give, with the phi of all such matches: what long
    matches vary by says nothing of others. Where all came out the same (near-equal bots split
    every board: a variance of 0 would be falsely exact) it is likewise, with the phi of the group.
    There is no factor G/(G-1): Student's quantiles allow for few boards, and both together would
    make too much of it (two bots, 20 boards: 96.3 % in place of 95). A prior adds its precision to
    M as to the information, so that with games as independent as the model says V is the
    covariance of the posterior distribution.
    """
    if not group.core.any():
        return None
    played, p, pull = _judged(group)
    met = played.boards > 0
    overall = _dispersion(*_sums(played, p, pull, of=met))
    if overall is None:
        return None
    short = met & (played.boards < FEW_BOARDS)
    alike = met & ~short & ~_varied(played)
    few = _dispersion(*_sums(played, p, pull, of=short)) or overall
    weight = played.games * p * p.T
    own = np.where(short | alike, 0.0, played.squares(p))
    parts = (
        (own, max(overall.freedom, 1.0)),
        (np.where(short, few.phi * weight, 0.0), few.freedom),
        (np.where(alike, overall.phi * weight, 0.0), overall.freedom),
    )
    fixed = group.fixed[group.core]
    a = inverse_information(played.games, group.theta[group.core], fixed, group.precision)

    def spread(middle: Floats) -> Floats:
        return centred(a @ middle @ a, fixed)

    by_part = [(spread(laplacian(scatter)), freedom) for scatter, freedom in parts]
    by_part.append((spread(group.precision * np.eye(len(p))), np.inf))
    covariance = np.sum([part for part, _ in by_part], axis=0)
    scatter = np.sum([scatter for scatter, _ in parts], axis=0)
    return Uncertainty(a, scatter, covariance, _freedom(by_part))


def _judged(group: GroupFit) -> tuple[Crosstable, Floats, Floats]:
    """Return the boards among fitted bots, chances by them alone, and [a, b] what a rating takes.

    That is the variance of a difference per variance of a game: their sum over all games is the
    number of free ratings.
    """
    played = group.played.among(np.flatnonzero(group.core))
    theta = group.judged_by
    none = np.zeros(theta.size, dtype=bool)
    pull = between(inverse_information(played.games, theta, none, group.precision))
    return played, chances(theta), pull


def _sums(played: Crosstable, p: Floats, pull: Floats, *, of: Mask) -> Floats:
    """Sum up (boards, free ratings, observed, independent) over the matches `of` the table."""
    weight = played.games * p * p.T
    sums = (played.boards, weight * pull, played.squares(p), weight)
    return np.array([np.where(of, one, 0.0).sum() / 2 for one in sums])


def _dispersion(
    boards: float, free: float, observed: float, independent: float
) -> Dispersion | None:
    """Estimate the dispersion; None if it says nothing: no boards to spare, or all were split.

    phi = G / (G - f) * sum (s - n p)^2 / sum n p (1 - p) over G boards of n games, of which s
    were won, with f free ratings (Pearson's statistic over its degrees of freedom).
    """
    freedom = boards - free
    if freedom < _NOTHING or independent <= 0:
        return None
    phi = float(boards / freedom * observed / independent)
    return Dispersion(phi, float(freedom)) if phi > _NOTHING else None


def _freedom(parts: Sequence[tuple[Floats, float]]) -> Floats:
    """Return at [a, b] the degrees of freedom of a sum of variances (Satterthwaite 1946)."""
    total = np.zeros_like(parts[0][0])
    squares = np.zeros_like(total)
    for covariance, freedom in parts:
        variance = between(covariance)
        np.fill_diagonal(variance, np.maximum(np.diag(covariance), 0.0))
        total += variance
        squares += variance**2 / freedom
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(squares > 0, total**2 / squares, np.inf)


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
