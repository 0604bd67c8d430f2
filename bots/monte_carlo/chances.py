"""What the ends of a deal are worth: points, or how much likelier the game is won.

How deals end was counted in games of a good bot against itself. From that follows how likely a game
is won, standing by standing, from the end of the game backwards.
"""

from functools import cache
from typing import Any, NamedTuple

from arena.sdk import View

DEALER_SCORES = {"made": 0.454, "march": 0.210, "euchre": 0.034}
OTHER_SCORES = {"made": 0.136, "march": 0.049, "euchre": 0.117}
"""How likely a deal ends so, by who gets the points; it is hardly ever thrown in."""
FAR = 40
"""When a seat has more points to go than this, a point is just a point."""


class Scoring(NamedTuple):
    """The points of a deal, by how it ends."""

    made: int
    march: int
    euchre: int


class Stakes(NamedTuple):
    """What the ends of a deal are worth to a seat; only their differences matter."""

    maker: tuple[float, float, float]
    """If it is euchred, made or a march, with this seat as maker."""
    defender: tuple[float, float, float]
    """If it is a march, made or euchred, with the other seat as maker."""
    throw_in: float


def stakes(view: View, options: dict[str, Any], *, for_game: bool) -> Stakes:
    """Return what is at stake for a seat: points, or `for_game` the chance to win the game."""
    scoring = Scoring(*(options[f"points_{end}"] for end in Scoring._fields))
    mine, others = (view.target - view.points[seat] for seat in (view.seat, 1 - view.seat))
    dealing = view.seat == view.dealer
    deals_again = dealing if options["dealer_after_throw_in"] == "same" else not dealing

    def worth(scored: int, lost: int, *, deals_next: bool = not dealing) -> float:
        if for_game and max(mine, others) <= FAR:
            return winning(mine - scored, others - lost, scoring, deals=deals_next)
        return scored - lost

    made, march, euchre = scoring
    return Stakes(
        maker=(worth(0, euchre), worth(made, 0), worth(march, 0)),
        defender=(worth(0, march), worth(0, made), worth(euchre, 0)),
        throw_in=worth(0, 0, deals_next=deals_again),
    )


@cache
def winning(mine: int, others: int, scoring: Scoring, *, deals: bool) -> float:
    """Return how likely a seat wins that has `mine` points to go, the other `others`.

    `deals` is whether the seat deals next.
    """
    if mine <= 0 or others <= 0:
        return 1.0 if mine <= 0 else 0.0
    scores, loses = (DEALER_SCORES, OTHER_SCORES) if deals else (OTHER_SCORES, DEALER_SCORES)
    return sum(
        scores[end] * winning(mine - points, others, scoring, deals=not deals)
        + loses[end] * winning(mine, others - points, scoring, deals=not deals)
        for end, points in scoring._asdict().items()
    )
