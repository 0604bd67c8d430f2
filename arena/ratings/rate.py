"""From match scores to ratings: the way through the package and from theta to Elo.

The steps themselves lie in groups, bradley_terry, intervals, ranks and notices.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from arena.ratings import ranks
from arena.ratings.bradley_terry import ELO, Floats, GroupFit, build_crosstable, fit_group
from arena.ratings.groups import find_groups
from arena.ratings.intervals import covariance, pooled_phi
from arena.ratings.notices import notices
from arena.ratings.ratings import MOST_APART, BotRating, Bound, Group, Ratings, quantile
from arena.ratings.scores import MatchScore

_NO_ANCHORS: Mapping[str, float] = MappingProxyType({})


def rate(
    scores: Sequence[MatchScore],
    bots: Sequence[str],
    *,
    mean: float = 1500,
    anchors: Mapping[str, float] = _NO_ANCHORS,
    confidence: float = 0.95,
) -> Ratings:
    """Rate `bots` jointly by maximum likelihood over the complete boards of `scores`.

    The fitted bots of a group have the mean `mean`, or those of `anchors` are held at their
    values. The order of `scores` and `bots` changes nothing. Numbers are finite or None.
    Raises `ValueError` for scores of bots that are not in `bots`, bots named twice, a mean or
    anchors that are not finite or more than `MOST_APART` apart, and a confidence outside (0, 1).
    """
    names = sorted(set(bots))
    _check(bots, mean, anchors, confidence)
    played = build_crosstable(scores, names)
    scale = _Scale.of(mean, {name: anchors[name] for name in names if name in anchors})
    fixed = np.array([scale.theta(anchors[n]) if n in anchors else np.nan for n in names])
    fits = [fit_group(played, m, fixed) for m in find_groups(played.boards, played.wins > 0)]
    phi = pooled_phi(fits)
    rated = [_rate_group(i, fit, names, scale, phi, confidence) for i, fit in enumerate(fits)]
    seen = {bot for one in rated for bot in one.group.bots}
    return Ratings(
        bots=(
            *(rating for one in rated for rating in one.bots),
            *(BotRating(name) for name in names if name not in seen),
        ),
        groups=tuple(one.group for one in rated),
        above=frozenset(pair for one in rated for pair in one.above),
        confidence=confidence,
        phi=phi,
        notices=tuple(notices(fits, names, phi, mean, anchors)),
    )


def _check(
    bots: Sequence[str], mean: float, anchors: Mapping[str, float], confidence: float
) -> None:
    if len(set(bots)) != len(bots):
        raise ValueError("a bot is named twice")
    if not all(math.isfinite(value) for value in (mean, *anchors.values())):
        raise ValueError("mean and anchors must be finite")
    if anchors and max(anchors.values()) - min(anchors.values()) > MOST_APART:
        raise ValueError(f"anchors must lie within {MOST_APART} Elo of each other")
    if not 0 < confidence < 1:
        raise ValueError("confidence must lie between 0 and 1")


@dataclass(frozen=True)
class _Scale:
    """Where theta = 0 lies in Elo: at the mean, or at the first anchor."""

    mean: float
    origin: float

    @classmethod
    def of(cls, mean: float, anchors: Mapping[str, float]) -> _Scale:
        return cls(mean, next(iter(anchors.values()), mean))

    def theta(self, elo: float) -> float:
        return (elo - self.origin) / ELO

    def elo(self, theta: float, *, anchored: bool) -> float:
        return (self.origin if anchored else self.mean) + ELO * theta


@dataclass(frozen=True)
class _Rated:
    bots: tuple[BotRating, ...]
    group: Group
    above: tuple[tuple[str, str], ...]


def _rate_group(
    number: int,
    fit: GroupFit,
    names: Sequence[str],
    scale: _Scale,
    phi: float | None,
    confidence: float,
) -> _Rated:
    own = [names[i] for i in fit.members.bots]
    v = covariance(fit, phi)
    above = ranks.find_above(fit, v, confidence)
    intervals = ranks.rank_intervals(above)
    errors = _errors(fit, v, confidence)
    anchored = bool(fit.fixed.any())
    # Equal ones, up to the precision of the fit, go by name.
    best_first = sorted(range(len(own)), key=lambda i: (-round(float(fit.theta[i]), 9), own[i]))
    bots = tuple(
        BotRating(
            bot=own[i],
            elo=scale.elo(float(fit.theta[i]), anchored=anchored),
            error=errors[i],
            bound=_bound(fit, i),
            group=number,
            rank=intervals[i],
        )
        for i in best_first
    )
    fitted = tuple(own[i] for i in np.flatnonzero(fit.core))
    table = None if v is None else tuple(tuple(row) for row in (v * ELO**2).tolist())
    group = Group(tuple(rating.bot for rating in bots), fitted, table)
    return _Rated(bots, group, tuple((own[a], own[b]) for a, b in np.argwhere(above)))


def _errors(fit: GroupFit, v: Floats | None, confidence: float) -> list[float | None]:
    errors: list[float | None] = [None] * fit.theta.size
    if v is not None:
        half_widths = quantile(confidence) * ELO * np.sqrt(np.diag(v))
        for i, half_width in zip(np.flatnonzero(fit.core), half_widths, strict=True):
            errors[i] = float(half_width)
    return errors


def _bound(fit: GroupFit, i: int) -> Bound | None:
    if fit.lower_bound[i]:
        return ">"
    return "<" if fit.upper_bound[i] else None
