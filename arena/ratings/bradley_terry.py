"""The Bradley-Terry model: chance of a beating b = 1 / (1 + exp(theta_b - theta_a)).

Only the point estimate lives here, on the natural scale theta = Elo * ln(10) / 400; how sure it
is: intervals. Games count one by one, the board they belong to matters for the interval only.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from arena.ratings.groups import Counts, Indices, Layer, Mask, Members, peel
from arena.ratings.roots import root
from arena.ratings.scores import MatchScore

Floats = NDArray[np.float64]

_MAX_STEPS = 500
_LONGEST_STEP = 3.0
"""In theta: keeps Newton's first steps from overshooting far apart anchors."""
_CONVERGED = 1e-9
"""In theta; Newton's last step leaves an error of about its square."""


@dataclass(frozen=True, eq=False)
class Crosstable:
    """What all matches among some bots scored: sums over their boards, as square tables.

    Of a board n is the number of games (2, but for files from elsewhere), s what a scored in it: a
    game won counts 1, one drawn 1/2. With these sums everything about a match is known.
    """

    boards: Counts
    """[a, b]: boards played; symmetric."""
    games: Counts
    """Sum of n; symmetric."""
    wins: Counts
    """Sum of s."""
    games_squared: Counts
    """Sum of n^2; symmetric."""
    wins_by_games: Counts
    """Sum of s n."""
    wins_squared: Counts
    """Sum of s^2."""

    def among(self, bots: Indices) -> Crosstable:
        """Return the part played among `bots`."""
        square = np.ix_(bots, bots)
        return Crosstable(*(getattr(self, one.name)[square] for one in fields(self)))

    def squares(self, p: Floats) -> Counts:
        """Return at [a, b] the sum of (s - n p)^2, for the chances `p` that a wins; symmetric."""
        sums = self.wins_squared - 2 * p * self.wins_by_games + p**2 * self.games_squared
        # From b's side the sum is the same, but rounded in another way.
        return np.maximum((sums + sums.T) / 2, 0.0)


def build_crosstable(scores: Sequence[MatchScore], bots: Sequence[str]) -> Crosstable:
    """Lay `scores` out in the order of `bots`; several of the same two bots add up.

    Raises `ValueError` for a bot that is not among `bots` or meets itself.
    """
    place = {bot: i for i, bot in enumerate(bots)}
    sums = np.zeros((len(fields(Crosstable)), len(bots), len(bots)))
    for score in scores:
        if score.a == score.b or score.a not in place or score.b not in place:
            raise ValueError(f"not a match between two of the bots: {score.a}, {score.b}")
        a, b = place[score.a], place[score.b]
        for cluster, number in score.clusters:
            n, s = cluster.games, cluster.half_points / 2
            sums[:, a, b] += np.multiply(number, (1, n, s, n * n, s * n, s * s))
            s = n - s
            sums[:, b, a] += np.multiply(number, (1, n, s, n * n, s * n, s * s))
    return Crosstable(*sums)


def chances(theta: Floats) -> Floats:
    """Return at [a, b] the chance that a beats b in one game."""
    won: Floats = expit(theta[:, None] - theta[None, :])
    return won


def laplacian(weights: Counts) -> Floats:
    """Sum over all matches of weight * (e_a - e_b)(e_a - e_b)', for symmetric weights."""
    return np.diag(weights.sum(axis=1)) - weights


def information(games: Counts, theta: Floats) -> Floats:
    """Return the Fisher information of theta if games were independent: n p (1 - p) a match."""
    p = chances(theta)
    return laplacian(games * p * p.T)


@dataclass(frozen=True)
class Prior:
    """A normal distribution that each free theta is taken from before the first game."""

    precision: float
    """1 / variance; 0: no prior, so that the fit is one of maximum likelihood."""
    centre: float = 0.0

    def log_density(self, theta: Floats) -> float:
        """Return it but for a constant."""
        return -self.precision / 2 * float(((theta - self.centre) ** 2).sum())


def fit(wins: Counts, fixed: Floats, precision: float = 0.0) -> Floats:
    """Maximise likelihood times prior by Newton's method.

    `wins[a, b]`: games a won against b; without a prior they must be strongly connected, and each
    free bot then wins as many games as are expected. `fixed`: theta of anchors, nan for the free.
    A prior of that `precision` lies at the anchors' mean. Without an anchor the mean of theta is 0.
    """
    free = np.isnan(fixed)
    if not free.any():
        return fixed
    prior = Prior(precision, 0.0 if free.all() else float(fixed[~free].mean()))
    theta = np.where(free, prior.centre, fixed)
    for _ in range(_MAX_STEPS):
        step = _uphill(wins, theta, _newton_step(wins, theta, free, prior), prior)
        theta = theta + step
        if np.abs(step).max() < _CONVERGED:
            break
    return theta - theta.mean() if free.all() else theta


def _newton_step(wins: Counts, theta: Floats, free: Mask, prior: Prior) -> Floats:
    games = wins + wins.T
    pull = prior.precision * (theta - prior.centre)
    gradient = ((wins - games * chances(theta)).sum(axis=1) - pull)[free]
    curvature = information(games, theta)[np.ix_(free, free)]
    curvature += prior.precision * np.eye(len(gradient))
    step = np.zeros_like(theta)
    # Without anchor and prior the information is singular along the mean: lstsq leaves it alone.
    step[free] = np.linalg.lstsq(curvature, gradient)[0]
    longest = np.abs(step).max()
    return step * (_LONGEST_STEP / longest) if longest > _LONGEST_STEP else step


def _uphill(wins: Counts, theta: Floats, step: Floats, prior: Prior) -> Floats:
    """Return the step, halved until it does not lower what is maximised."""

    def height(at: Floats) -> float:
        return _log_likelihood(wins, at) + prior.log_density(at)

    least = height(theta) * (1 + 1e-12)
    while height(theta + step) < least and np.abs(step).max() > _CONVERGED:
        step = step / 2
    return step


def _log_likelihood(wins: Counts, theta: Floats) -> float:
    return -float((wins * np.logaddexp(0.0, theta[None, :] - theta[:, None])).sum())


@dataclass(frozen=True, eq=False)
class GroupFit:
    """A group on its scale. All arrays by place in `members.bots`."""

    members: Members
    played: Crosstable
    """The boards among the members."""
    theta: Floats
    core: Mask
    """Fitted; the others were placed afterwards and do not move these."""
    fixed: Mask
    """Anchors."""
    lower_bound: Mask
    upper_bound: Mask
    precision: float
    """Of the prior; 0: none."""
    judged_by: Floats
    """Theta of the core by its games alone, where anchors that contradict each other bend `theta`.

    Only differences mean something. What boards vary by, and how well they fit, is seen by it.
    """


def fit_group(
    played: Crosstable, members: Members, anchors: Floats, precision: float = 0.0
) -> GroupFit:
    """Fit the core, then place the others by the n - 1/2 rule, those nearest the core first.

    `anchors`: theta of the field's anchors, nan for all others; one outside the core is not used.
    `precision`: that of the prior, 0 for none.
    """
    inner = played.among(members.bots)
    core = np.isin(members.bots, members.core)
    fixed = np.where(core, anchors[members.bots], np.nan)
    layers = peel(inner.wins > 0, core)
    theta = np.full(core.size, np.nan)
    if core.any():
        theta[core] = fit(inner.among(np.flatnonzero(core)).wins, fixed[core], precision)
    else:
        theta[layers[-1].bots] = _innermost(inner.wins, layers[-1])
    _place(theta, inner.wins, layers if core.any() else layers[:-1])
    judged_by = theta[core]
    if np.isfinite(fixed).sum() > 1:
        judged_by = fit(inner.among(np.flatnonzero(core)).wins, np.full(core.sum(), np.nan))
    lower, upper = np.zeros_like(core), np.zeros_like(core)
    for layer in layers:
        lower[layer.bots], upper[layer.bots] = layer.won_all, layer.lost_all
    return GroupFit(
        members, inner, theta, core, ~np.isnan(fixed), lower, upper, precision, judged_by
    )


def _innermost(wins: Counts, layer: Layer) -> Floats:
    """Start the scale where no bot can be fitted: all winners against all losers.

    Their expected score is n - 1/2 of the n games between them; bots that met none of the
    others lie in the middle.
    """
    n = wins[np.ix_(layer.bots, layer.bots)].sum()
    half = math.log(2 * n - 1) / 2 if n else 0.0
    return half * layer.won_all - half * layer.lost_all


def _place(theta: Floats, wins: Counts, layers: Sequence[Layer]) -> None:
    """Fill in the nan of `theta` from the inside outwards.

    Of n games against bots placed before, a bot that won all is put where n - 1/2 are expected,
    one that lost all where 1/2 is (the rule of Ordo's manual: as if one game had been drawn).
    A bot that met none of them waits until one it met is placed.
    """
    waiting = [layer.bots for layer in reversed(layers)]
    while waiting:
        bots = waiting.pop(0)
        placed = np.flatnonzero(~np.isnan(theta))
        won = wins[np.ix_(bots, placed)]
        games = won + wins[np.ix_(placed, bots)].T
        ready = games.any(axis=1)
        for i in np.flatnonzero(ready):
            theta[bots[i]] = _expecting(won[i].sum(), games[i], theta[placed])
        if not ready.all():
            waiting.append(bots[~ready])


def _expecting(won: float, games: Floats, opponents: Floats) -> float:
    """Return the theta that expects `won` of `games`, kept half a game off none and all."""
    n = games.sum()
    target = min(max(won, 0.5), n - 0.5)
    met = opponents[games > 0]
    reach = math.log(2 * n)

    def excess(theta: float) -> float:
        return float((games * expit(theta - opponents)).sum() - target)

    return root(excess, float(met.min()) - reach, float(met.max()) + reach)
