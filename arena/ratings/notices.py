"""What a person must be told to read the ratings: one plain sentence each, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, permutations

import numpy as np

from arena.ratings.bradley_terry import GroupFit, chances
from arena.ratings.groups import Mask
from arena.ratings.intervals import FEW_BOARDS, pooled_phi
from arena.ratings.ratings import Misfit

_MOST_NAMES = 12
_NOTHING = 1e-6


def notices(
    fits: Sequence[GroupFit],
    names: Sequence[str],
    mean: float,
    anchors: Mapping[str, float],
    misfits: Sequence[Misfit],
    by_faults: Sequence[tuple[str, str]],
    confidence: float,
) -> Iterator[str]:
    """Yield the notices for groups fitted from the field of `names`, in a fixed order."""
    yield from _about_groups(fits, names)
    yield from _about_anchors(fits, names, mean, anchors)
    for fit in fits:
        yield from _about_bounds(fit, _members(fit, names))
    for fit in fits:
        if fit.core.any() and pooled_phi([fit]) is None:
            yield from _about_splits(fit, _chosen(_members(fit, names), fit.core))
    yield from _about_few_boards(fits)
    yield from _about_faults(by_faults)
    yield from _about_misfits([one for one in misfits if one.chance < 1 - confidence])


def _about_groups(fits: Sequence[GroupFit], names: Sequence[str]) -> Iterator[str]:
    def island(fit: GroupFit) -> int:
        return fit.members.island

    islands = [list(part) for _, part in groupby(sorted(fits, key=island), key=island)]
    if len(islands) > 1:
        yield (
            "Never met, not even through others, so without a common scale: "
            + ", ".join(
                _bracket(n for fit in part for n in _members(fit, names)) for part in islands
            )
            + "."
        )
    for part in islands:
        if len(part) > 1:
            yield (
                "All games between them went one way, so without a common scale: "
                + ", ".join(_bracket(_members(fit, names)) for fit in part)
                + "."
            )


def _about_anchors(
    fits: Sequence[GroupFit], names: Sequence[str], mean: float, anchors: Mapping[str, float]
) -> Iterator[str]:
    met = {name for fit in fits for name in _members(fit, names)}
    held = {name for fit in fits for name in _chosen(_members(fit, names), fit.fixed)}
    for anchor in sorted(anchors):
        if anchor not in names:
            yield f"The anchor {anchor} takes no part, so it is not used."
        elif anchor not in met:
            yield f"The anchor {anchor} has no complete board yet, so it is not used."
        elif anchor not in held:
            yield f"The anchor {anchor} has only matches that went one way, so it is not used."
    for fit in fits:
        if anchors and not fit.fixed.any():
            yield f"No anchor holds {_bracket(_members(fit, names))}: the mean there is {mean:g}."


def _about_bounds(fit: GroupFit, names: Sequence[str]) -> Iterator[str]:
    never_lost = ~(fit.played.wins > 0).any(axis=0)
    never_won = ~(fit.played.wins > 0).any(axis=1)
    loose = ~(fit.core | fit.lower_bound | fit.upper_bound)
    sentences = (
        (fit.lower_bound & never_lost, "Won every game, so the rating is only a lower bound"),
        (fit.upper_bound & never_won, "Lost every game, so the rating is only an upper bound"),
        (
            fit.lower_bound & ~never_lost,
            "Lost only to bots marked > themselves, so the rating is only a lower bound",
        ),
        (
            fit.upper_bound & ~never_won,
            "Won only against bots marked < themselves, so the rating is only an upper bound",
        ),
        (loose, "Only matches won or lost throughout, so the rating is a rough guess"),
    )
    for chosen, text in sentences:
        if chosen.any():
            yield f"{text}: {_list(_chosen(names, chosen))}."


def _about_splits(fit: GroupFit, fitted: Sequence[str]) -> Iterator[str]:
    played = fit.played.among(np.flatnonzero(fit.core))
    if played.squares(chances(fit.judged_by)).sum() > _NOTHING:
        reason = f"There are too few boards among {_bracket(fitted)}"
    else:
        reason = f"On every board among {_bracket(fitted)} each won one of the two games"
    yield f"{reason}, so how sure their ratings are is not known."


def _about_few_boards(fits: Sequence[GroupFit]) -> Iterator[str]:
    most = max((int(fit.played.boards.max(initial=0)) for fit in fits), default=0)
    if 0 < most < FEW_BOARDS:
        yield f"No match has more boards than {most} yet: ranks can still change a good deal."


def _about_faults(by_faults: Sequence[tuple[str, str]]) -> Iterator[str]:
    worse: dict[str, list[str]] = {}
    for better, bot in by_faults:
        worse.setdefault(bot, []).append(better)
    for bot, those in worse.items():
        yield (
            f"Faults decide that {bot} is below {_bracket(those)}:"
            " on the boards without a fault it is better."
        )


def _about_misfits(misfits: Sequence[Misfit]) -> Iterator[str]:
    beat = {(one.a, one.b) for one in misfits if one.won > one.games / 2}
    for a, b, c in permutations(sorted({bot for pair in beat for bot in pair}), 3):
        if a < min(b, c) and {(a, b), (b, c), (c, a)} <= beat:
            circle = f"{a} beats {b}, {b} beats {c}, {c} beats {a}"
            yield f"In a circle, which no ratings can tell: {circle}."
    for one in misfits:
        won, expected = (round(100 * part / one.games) for part in (one.won, one.expected))
        yield (
            f"{one.a} won {won} % of its games against {one.b} where the ratings say {expected} %:"
            " one number for each bot does not tell all."
        )


def _members(fit: GroupFit, names: Sequence[str]) -> list[str]:
    return [names[i] for i in fit.members.bots]


def _chosen(names: Sequence[str], chosen: Mask) -> list[str]:
    return [name for name, one in zip(names, chosen, strict=True) if one]


def _bracket(names: Iterable[str]) -> str:
    return f"({_list(names)})"


def _list(names: Iterable[str]) -> str:
    shown = sorted(names)
    more = len(shown) - _MOST_NAMES
    return ", ".join(shown[:_MOST_NAMES]) + (f" and {more} more" if more > 0 else "")
