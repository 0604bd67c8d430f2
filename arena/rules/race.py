"""A game to a target over successive deals, whatever is done within a deal.

Who deals next, the points of the game, throw-ins in a row and the finished deals live here; cards,
calls and tricks do not. The state of a game is its current deal, which knows the race it is part
of: so an action within a deal makes one new value. Clauses (2H-8.1) are those of the rules of
two-handed Euchre.
"""

from __future__ import annotations

from operator import add
from typing import Any, Literal, Protocol

import msgspec
from msgspec.structs import replace

from arena.errors import IllegalActionError, ReplayError
from arena.rules.base import FinishedDeal, Outcome, Place

THROW_IN = "throw_in"
"""The reason of a deal in which nobody made trump."""
REDEAL = "joker_redeal"
"""The reason of a deal that is void and dealt again."""


class Standing(msgspec.Struct, frozen=True, gc=False):
    """How a game stands at the beginning of a deal."""

    dealer: int
    points: tuple[int, ...]
    """Points of the game by seat."""
    throw_ins: int
    """Deals thrown in in a row up to now."""


class Ended(Protocol):
    """What a race keeps of a finished deal."""

    @property
    def dealer(self) -> int:
        """The seat that dealt."""

    @property
    def reason(self) -> str | None:
        """How the deal ended: `THROW_IN`, `REDEAL`, anything else if it was played."""

    @property
    def points(self) -> tuple[int, ...]:
        """What each seat scored in this deal."""

    def record(self) -> dict[str, Any]:
        """Return the deal as a game record shows it."""


class Dealing(Protocol):
    """What a variant brings to a race."""

    @property
    def target(self) -> int:
        """Points that win the game."""

    @property
    def dealer_after_throw_in(self) -> Literal["next", "same"]:
        """Who deals after a throw-in."""

    def deal(self, race: Race) -> Deal | None:
        """Begin the next deal of a race; None if the cards ran out."""


class Race(msgspec.Struct, frozen=True, gc=False):
    """A game to a target up to the beginning of a deal."""

    dealing: Dealing
    standing: Standing
    """When the game has stopped, with the last deal's points."""
    number: int = 0
    """Of the deal, from 0; when the game has stopped, of the last one."""
    finished: tuple[Ended, ...] = ()
    """All finished deals."""


class Deal(msgspec.Struct, frozen=True, gc=False):
    """One deal at one moment: the `State` of its game. A variant's deals are made from it."""

    race: Race
    to_act: int | None
    """The seat to act; None when the deal is finished, which is when the game has stopped."""
    choices: tuple[str, ...]
    """What that seat may do, sorted; empty when the deal is finished."""

    @property
    def points(self) -> tuple[int, ...]:
        """Points of the game so far, by seat."""
        return self.race.standing.points

    @property
    def outcome(self) -> Outcome | None:
        """Set once a seat has reached the target (2H-8.1)."""
        points = self.race.standing.points
        most = max(points)
        return Outcome(points, points.index(most)) if most >= self.race.dealing.target else None

    def legal(self) -> tuple[str, ...]:
        """Return all actions open to the seat to act, sorted as strings; empty if there is none."""
        return self.choices

    def deals(self) -> tuple[dict[str, Any], ...]:
        """Return all deals so far as the game record shows them."""
        running = () if self.to_act is None else (self.record(),)
        return (*[deal.record() for deal in self.race.finished], *running)

    def finished_deals(self) -> tuple[FinishedDeal, ...]:
        """Return what came of each finished deal."""
        return tuple([FinishedDeal(deal.dealer, deal.points) for deal in self.race.finished])

    def refusal(self, action: str) -> IllegalActionError:
        """Return the error to raise when `action` is not legal."""
        legal = ", ".join(self.choices) or "nothing, the game has stopped"
        return IllegalActionError(f"{action!r} is not legal; legal: {legal}")

    def apply(self, action: str) -> Deal:
        """Return the state after `action`; raises `IllegalActionError` if it is not legal.

        When that finishes the deal, it is `going_on` from it.
        """
        raise NotImplementedError

    def view(self, seat: int) -> msgspec.Struct:
        """Return what `seat` may know now."""
        raise NotImplementedError

    def places(self) -> tuple[Place, ...]:
        """Return where each card of the pack is in the current deal."""
        raise NotImplementedError

    def record(self) -> dict[str, Any]:
        """Return the deal as a game record shows it while it is not finished."""
        raise NotImplementedError

    def ended(self) -> Ended:
        """Return what is kept of the finished deal, which may not hold the race."""
        raise NotImplementedError


def begin(dealing: Dealing, first_dealer: int, seats: int) -> Deal:
    """Deal the first cards; raises `ReplayError` if there are none."""
    deal = dealing.deal(Race(dealing, Standing(first_dealer, (0,) * seats, 0)))
    if deal is None:
        raise ReplayError("a game has at least one deal", deal=0)
    return going_on(deal)


def going_on(deal: Deal) -> Deal:
    """Return `deal`, or if it is finished the next one, or itself with the race that is over.

    A loop, because a deal can be finished as soon as its upcard is turned (`REDEAL`).
    """
    while deal.to_act is None:
        race, ended = deal.race, deal.ended()
        dealing = race.dealing
        standing = _after(race.standing, ended, dealing.dealer_after_throw_in)
        finished = (*race.finished, ended)
        following = None
        if max(standing.points) < dealing.target:
            following = dealing.deal(Race(dealing, standing, len(finished), finished))
        if following is None:
            return replace(deal, race=Race(dealing, standing, race.number, finished))
        deal = following
    return deal


def _after(old: Standing, ended: Ended, dealer_after_throw_in: Literal["next", "same"]) -> Standing:
    """Add the finished deal's points and pass the deal on (2H-5.4, 2H-8.3).

    Nothing changes after a redeal (2H-3.5).
    """
    if ended.reason == REDEAL:
        return old
    thrown_in = ended.reason == THROW_IN
    keeps = thrown_in and dealer_after_throw_in == "same"
    return Standing(
        old.dealer if keeps else (old.dealer + 1) % len(old.points),
        tuple(map(add, old.points, ended.points)),
        old.throw_ins + 1 if thrown_in else 0,
    )
