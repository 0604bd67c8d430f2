"""Numbers as people see them: never more exact, and never more certain, than they are."""

from __future__ import annotations

import math
from collections.abc import Mapping

from arena.text import count

NOTHING = "-"
"""What is not known."""
_NEARLY_SURE = 99
_UNSURE = 0.0005
FEWEST_FREEDOM = 19
"""Degrees of freedom below which it is not said how many boards something would take."""
_OUT_OF_REACH = 100
"""Times the boards."""


def rounded(number: float | None, digits: int) -> float | None:
    """Round for programs; adding 0 makes -0.0 a plain zero."""
    return None if number is None else round(number, digits) + 0.0


def half_width(error: float | None) -> str:
    """Show the half width of an interval in Elo; only an anchor's is exact."""
    if not error:
        return NOTHING if error is None else "0"
    return f"{max(error, 1):.0f}"


def probability(chance: float | None) -> str:
    """Show a probability in per cent; what is all but sure is never 100 %."""
    if chance is None:
        return NOTHING
    if not _UNSURE < chance < 1 - _UNSURE:
        return ">99.9 %" if chance > _UNSURE else "<0.1 %"
    share = 100 * chance
    return f"{share:.0f} %" if 1 <= share <= _NEARLY_SURE else f"{share:.1f} %"


def percent(won: float, games: int) -> str:
    """Show 0 and 100 only for none and all."""
    if not games:
        return NOTHING
    share = 100 * won / games
    return f"{share if won in (0, games) else min(max(share, 1), 99):.0f} %"


def more_boards(factor: float, boards: int | None) -> str | None:
    """Say what `factor` times the boards are, of so many in each match; None: out of reach."""
    if factor > _OUT_OF_REACH:
        return None
    if boards is None:
        return f"{factor:.1f} times the boards"
    more = max(math.ceil(boards * (factor - 1)), 1)
    return f"{count(more, 'more board')} a match"


def points(value: float | None, error: float | None) -> str:
    """Show points per deal with their interval, such as ``+0.123 ± 0.045``; no interval is 0."""
    if value is None:
        return NOTHING
    width = NOTHING if error is None else f"{max(error, 0.001):.3f}"
    return f"{round(value, 3) + 0.0:+.3f} ± {width:>5}"


def by_kind(faults: Mapping[str, int]) -> str:
    """Show how many faults of each kind there are, the most first; nothing for none."""
    kinds = sorted((-n, kind) for kind, n in faults.items() if n)
    return ", ".join(f"{-n} {kind}" for n, kind in kinds)
