"""What the tricks of a deal of two-handed Euchre are worth (2H-7), and when that is clear."""

from __future__ import annotations

from arena.rules.euchre import HAND_SIZE, Reason
from arena.rules.two_handed.options import Options

_ENOUGH = 3
"""Tricks that decide: the maker makes the deal with three, three of the defender's euchre it."""


def is_decided(maker: int | None, tricks: tuple[int, ...]) -> bool:
    """Tell whether no further trick can change the points (2H-6.7)."""
    made, lost = _by_role(maker, tricks)
    return lost == _ENOUGH or (made >= _ENOUGH and lost > 0)


def score(
    maker: int | None, tricks: tuple[int, ...], options: Options
) -> tuple[Reason, tuple[int, int]]:
    """Return how a played deal ended and the points by seat; exactly one seat scores (2H-7.5)."""
    made, _ = _by_role(maker, tricks)
    reason: Reason
    if made == HAND_SIZE:
        reason, worth = "march", options.points_march
    elif made >= _ENOUGH:
        reason, worth = "made", options.points_made
    else:
        reason, worth = "euchre", options.points_euchre
    seat_0_scores = (maker == 0) == (made >= _ENOUGH)
    return reason, (worth, 0) if seat_0_scores else (0, worth)


def _by_role(maker: int | None, tricks: tuple[int, ...]) -> tuple[int, int]:
    """Return the tricks of the maker and of the defender."""
    mine, others = tricks
    return (mine, others) if maker == 0 else (others, mine)
