"""From match scores to ratings: the way through the package and from theta to Elo.

The steps themselves lie in groups, bradley_terry, intervals, ranks and notices.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from arena.ratings import critical, ranks
from arena.ratings.bradley_terry import Crosstable, Floats, GroupFit, build_crosstable, fit_group
from arena.ratings.groups import Mask, find_groups, find_islands
from arena.ratings.intervals import Uncertainty, pooled_phi, uncertainty
from arena.ratings.misfits import find_misfits
from arena.ratings.notices import notices
from arena.ratings.ratings import BotRating, Bound, Group, Ratings, Sequential, Square
from arena.ratings.scale import ELO, MOST_APART
from arena.ratings.scores import MatchScore

_NO_ANCHORS: Mapping[str, float] = MappingProxyType({})


def rate(
    scores: Sequence[MatchScore],
    bots: Sequence[str],
    *,
    mean: float = 1500,
    anchors: Mapping[str, float] = _NO_ANCHORS,
    prior: float | None = None,
    confidence: float = 0.95,
    sequential: Sequential | None = None,
) -> Ratings:
    """Rate `bots` jointly by maximum likelihood over the complete boards of `scores`.

    The fitted bots of a group have the mean `mean`, or those of `anchors` are held at their
    values. `prior`: standard deviation in Elo of a normal distribution that all are taken from;
    then no bot is at a bound. Of two bots whose match was `sequential` no errors are told. The
    order of `scores` and `bots` changes nothing. Numbers are finite or None.

    Raises `ValueError` for scores of bots that are not in `bots`, bots named twice, a mean or
    anchors that are not finite or more than `MOST_APART` apart, a prior that is not above 0, and a
    confidence outside (0, 1).
    """
    names = sorted(set(bots))
    _check(bots, mean, anchors, prior, confidence)
    played = build_crosstable(scores, names)
    scale = _Scale.of(mean, {name: anchors[name] for name in names if name in anchors})
    fits = _fits(played, names, scale, anchors, prior)
    known = [(fit, uncertainty(fit)) for fit in fits]
    view = _View(names, scale, confidence, len(fits), sequential)
    rated = [_rate_group(i, fit, sure, view) for i, (fit, sure) in enumerate(known)]
    seen = {bot for one in rated for bot in one.group.bots}
    misfits = find_misfits(known, names)
    above = frozenset(pair for one in rated for pair in one.above)
    by_faults = _decided_by_faults(scores, names, above, anchors, prior)
    return Ratings(
        bots=(
            *(rating for one in rated for rating in one.bots),
            *(BotRating(name) for name in names if name not in seen),
        ),
        groups=tuple(one.group for one in rated),
        above=above,
        confidence=confidence,
        phi=pooled_phi(fits),
        prior=prior,
        sequential=sequential,
        misfits=misfits,
        notices=tuple(notices(fits, names, mean, anchors, misfits, by_faults, confidence)),
    )


def _decided_by_faults(
    scores: Sequence[MatchScore],
    names: Sequence[str],
    above: Iterable[tuple[str, str]],
    anchors: Mapping[str, float],
    prior: float | None,
) -> tuple[tuple[str, str], ...]:
    """Return (better, worse) where without the boards with a fault it would be the other way."""
    if not any(any(score.forfeited) for score in scores):
        return ()
    played = build_crosstable([score.without_faults for score in scores], names)
    free = {name: value for name, value in anchors.items() if name in names}
    elsewhere: dict[str, tuple[int, float]] = {}
    for number, fit in enumerate(_fits(played, names, _Scale.of(0, free), free, prior)):
        for place, theta in zip(fit.members.bots.tolist(), fit.theta.tolist(), strict=True):
            elsewhere[names[place]] = (number, theta)
    return tuple(
        (a, b)
        for a, b in sorted(above)
        if a in elsewhere
        and b in elsewhere
        and elsewhere[a][0] == elsewhere[b][0]
        and elsewhere[a][1] < elsewhere[b][1] - ranks.EQUAL
    )


def _fits(
    played: Crosstable,
    names: Sequence[str],
    scale: _Scale,
    anchors: Mapping[str, float],
    prior: float | None,
) -> list[GroupFit]:
    fixed = np.array([scale.theta(anchors[n]) if n in anchors else np.nan for n in names])
    if prior is None:
        groups = find_groups(played.boards, played.wins > 0)
        return [fit_group(played, members, fixed) for members in groups]
    precision = (ELO / prior) ** 2
    islands = find_islands(played.boards)
    return [fit_group(played, members, fixed, precision) for members in islands]


def _check(
    bots: Sequence[str],
    mean: float,
    anchors: Mapping[str, float],
    prior: float | None,
    confidence: float,
) -> None:
    if len(set(bots)) != len(bots):
        raise ValueError("a bot is named twice")
    if not all(math.isfinite(value) for value in (mean, *anchors.values())):
        raise ValueError("mean and anchors must be finite")
    if anchors and max(anchors.values()) - min(anchors.values()) > MOST_APART:
        raise ValueError(f"anchors must lie within {MOST_APART} Elo of each other")
    if prior is not None and not 0 < prior < math.inf:
        raise ValueError("the standard deviation of a prior must be above 0")
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
class _View:
    """What all groups are rated by."""

    names: Sequence[str]
    scale: _Scale
    confidence: float
    groups: int
    sequential: Sequential | None

    @property
    def together(self) -> float:
        """The confidence of each group, so that the claims about all of them hold together."""
        return 1 - (1 - self.confidence) / max(self.groups, 1)


@dataclass(frozen=True)
class _Rated:
    bots: tuple[BotRating, ...]
    group: Group
    above: tuple[tuple[str, str], ...]


def _rate_group(number: int, fit: GroupFit, known: Uncertainty | None, view: _View) -> _Rated:
    own = [view.names[i] for i in fit.members.bots]
    v = None if known is None else known.covariance
    separating = None if known is None else critical.table(view.together, known.freedom, len(own))
    of_bounds = critical.simultaneous(view.together, math.inf, len(own))
    chance = critical.chance_above(-of_bounds, math.inf)  # nothing is estimated of these
    above = ranks.find_above(fit, v, separating, chance)
    _decide(above, own, view.sequential)
    intervals = ranks.rank_intervals(above)
    errors = _errors(fit, known, view, own)
    anchored = bool(fit.fixed.any())
    # Equal ones, up to the precision of the fit, go by name.
    best_first = sorted(range(len(own)), key=lambda i: (-round(float(fit.theta[i]), 9), own[i]))
    bots = tuple(
        BotRating(
            bot=own[i],
            elo=view.scale.elo(float(fit.theta[i]), anchored=anchored),
            error=errors[i],
            bound=_bound(fit, i),
            group=number,
            rank=intervals[i],
        )
        for i in best_first
    )
    fitted = tuple(own[i] for i in np.flatnonzero(fit.core))
    group = Group(
        tuple(rating.bot for rating in bots),
        fitted,
        covariance=None if v is None else _rows(v * ELO**2),
        freedom=None if known is None else _rows(known.freedom),
        critical=None if separating is None else _rows(separating),
    )
    return _Rated(bots, group, tuple((own[a], own[b]) for a, b in np.argwhere(above)))


def _decide(above: Mask, own: Sequence[str], sequential: Sequential | None) -> None:
    """Put in what a sequential stop decided, in place of what the results seem to say."""
    if sequential is None or not {sequential.a, sequential.b} <= set(own):
        return
    a, b = own.index(sequential.a), own.index(sequential.b)
    above[a, b] = sequential.above == (sequential.a, sequential.b)
    above[b, a] = sequential.above == (sequential.b, sequential.a)


def _rows(square: Floats) -> Square:
    return tuple(tuple(row) for row in square.tolist())


def _errors(
    fit: GroupFit, known: Uncertainty | None, view: _View, own: Sequence[str]
) -> list[float | None]:
    errors: list[float | None] = [None] * fit.theta.size
    hidden = set() if view.sequential is None else {view.sequential.a, view.sequential.b}
    if known is not None:
        quantiles = critical.two_sided_each(view.confidence, np.diag(known.freedom))
        half_widths = quantiles * ELO * np.sqrt(np.maximum(np.diag(known.covariance), 0.0))
        for i, half_width in zip(np.flatnonzero(fit.core).tolist(), half_widths, strict=True):
            errors[i] = None if own[i] in hidden else float(half_width)
    return errors


def _bound(fit: GroupFit, i: int) -> Bound | None:
    if fit.lower_bound[i]:
        return ">"
    return "<" if fit.upper_bound[i] else None
