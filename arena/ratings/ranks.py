"""Which bots are separated from each other, and the rank intervals that follow.

All claims about a group hold together at the confidence asked for: a true rank outside of its
interval, for any bot, is as rare as a wrong interval of one single difference.
"""

from __future__ import annotations

import math

import numpy as np

from arena.ratings.bradley_terry import Floats, GroupFit
from arena.ratings.groups import Mask
from arena.ratings.intervals import between

EQUAL = 1e-9
"""What differs by less than the fit's own precision is equal, even between exact anchors."""


def find_above(group: GroupFit, v: Floats | None, critical: Floats | None, chance: float) -> Mask:
    """Return at [a, b] whether a is better than b, by place in the group.

    Fitted bots: their difference must be more than `critical[a, b]` of its standard errors from
    the full covariance `v`. A bot at a bound has no standard error; what it did must have had the
    probability `chance` at most (that of one side of a difference): see `_too_lucky`.
    """
    above = np.zeros((group.theta.size, group.theta.size), dtype=bool)
    slack = np.zeros(group.theta.size)
    if v is not None and critical is not None:
        core = np.flatnonzero(group.core)
        theta = group.theta[core]
        error = critical * np.sqrt(between(v))
        above[np.ix_(core, core)] = theta[:, None] - theta[None, :] > error + EQUAL
        slack[core] = np.diag(critical) * np.sqrt(np.maximum(np.diag(v), 0.0))
    one_way = np.where(group.played.wins.T == 0, group.played.boards, 0)
    for x in np.flatnonzero(group.lower_bound):
        above[x] |= _too_lucky(group.theta, slack, one_way[x], group.lower_bound, chance)
    for x in np.flatnonzero(group.upper_bound):
        above[:, x] |= _too_lucky(-group.theta, slack, one_way[:, x], group.upper_bound, chance)
    return above


def _too_lucky(theta: Floats, slack: Floats, won: Floats, peers: Mask, chance: float) -> Mask:
    """Return for each y whether a bot that won both games of `won` boards must be better than y.

    So it is if the chance of that record were it only as good as y is at most `chance`. A board
    counts as one trial, which holds whatever its two games have in common. y is taken at the far
    end of its own interval; a peer, which has none, counts only by the boards the two played.
    """
    margin = (theta + slack)[:, None] - theta[None, :]
    np.fill_diagonal(margin, 0.0)
    log_chance = -(won * np.logaddexp(0.0, -margin)).sum(axis=1)
    log_chance[peers] = -won[peers] * math.log(2)
    lucky: Mask = log_chance <= math.log(chance)
    return lucky


def rank_intervals(above: Mask) -> list[tuple[int, int]]:
    """Return (1 + bots above, all bots - bots below) for each bot."""
    better, worse = above.sum(axis=0), above.sum(axis=1)
    return [(1 + int(b), above.shape[0] - int(w)) for b, w in zip(better, worse, strict=True)]
