"""What a person must be told to read the ratings: one plain sentence each, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from arena.ratings.bradley_terry import GroupFit
from arena.ratings.groups import Mask

_MOST_NAMES = 12


def notices(
    fits: Sequence[GroupFit],
    names: Sequence[str],
    phi: float | None,
    mean: float,
    anchors: Mapping[str, float],
) -> Iterator[str]:
    """Yield the notices for groups fitted from the field of `names`, in a fixed order."""
    yield from _about_groups(fits, names)
    yield from _about_anchors(fits, names, mean, anchors)
    for fit in fits:
        yield from _about_bounds(fit, _members(fit, names))
    if phi is None:  # so all boards of fitted bots were split, in every group
        for fit in fits:
            yield from _about_splits(_chosen(_members(fit, names), fit.core))


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


def _about_splits(fitted: Sequence[str]) -> Iterator[str]:
    if fitted:
        yield (
            f"On every board among {_bracket(fitted)} each won one of the two games, "
            "so how sure their ratings are is not known."
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
