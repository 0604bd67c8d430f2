"""What the tricks are worth in plain form (2H-7), and when they are (2H-6.7)."""

from __future__ import annotations

from arena.rules.euchre import HAND_SIZE, Reason
from arena.rules.two_handed.options import Options

_ENOUGH = 3
"""Tricks that decide: the maker makes the deal with three, three of the defender's euchre it."""


def is_over(maker: int | None, tricks: tuple[int, ...], options: Options) -> bool:
    """Tell whether all tricks were played, or need not be (2H-6.7)."""
    if options.play_out or sum(tricks) == HAND_SIZE:
        return sum(tricks) == HAND_SIZE
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
