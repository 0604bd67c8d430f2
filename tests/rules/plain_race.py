"""A game to a target over successive deals in plain form, whatever is done within a deal.

Who deals next, the points of the game, throw-ins in a row and the finished deals live here; cards,
calls and tricks do not. Clauses (2H-8.1) are those of the rules of two-handed Euchre.
"""

from __future__ import annotations

from typing import Any, Generic, Literal, Protocol, Self, TypeVar

import msgspec
from msgspec.structs import replace

from arena.errors import ReplayError
from arena.rules.base import FinishedDeal, Outcome, Place

THROW_IN = "throw_in"
"""The reason of a deal in which nobody made trump."""
REDEAL = "joker_redeal"
"""The reason of a deal that is void and dealt again."""


class Standing(msgspec.Struct, frozen=True):
    """How a game stands at the beginning of a deal."""

    dealer: int
    points: tuple[int, ...]
    """Points of the game by seat."""
    throw_ins: int
    """Deals thrown in in a row up to now."""


class Deal(Protocol):
    """What a race asks of one deal: a value that never changes."""

    @property
    def dealer(self) -> int:
        """The seat that dealt."""

    @property
    def to_act(self) -> int | None:
        """The seat to act; None when the deal is finished."""

    @property
    def legal(self) -> tuple[str, ...]:
        """What that seat may do, sorted; empty when the deal is finished."""

    @property
    def reason(self) -> str | None:
        """How the deal ended: `THROW_IN`, `REDEAL`, anything else if it was played."""

    @property
    def points(self) -> tuple[int, ...]:
        """What each seat scored in this deal."""

    def apply(self, action: str) -> Self:
        """Return the deal after `action`; raises `IllegalActionError` if it is not legal."""

    def view(self, seat: int, number: int, standing: Standing) -> msgspec.Struct:
        """Return what `seat` may know of the deal `number` of a game that stands so."""

    def record(self) -> dict[str, Any]:
        """Return the deal as a game record shows it."""

    def places(self) -> tuple[Place, ...]:
        """Return where each card is."""


D = TypeVar("D", bound=Deal)
D_co = TypeVar("D_co", bound=Deal, covariant=True)


class Dealing(Protocol[D_co]):
    """What a variant brings to a race."""

    @property
    def target(self) -> int:
        """Points that win the game."""

    @property
    def dealer_after_throw_in(self) -> Literal["next", "same"]:
        """Who deals after a throw-in."""

    def deal(self, number: int, standing: Standing) -> D_co | None:
        """Begin the deal `number` (from 0) of a game that stands so; None if the cards ran out."""


class Race(msgspec.Struct, Generic[D], frozen=True):
    """A game to a target at one moment: the `State` of its variant."""

    dealing: Dealing[D]
    standing: Standing
    """As the current deal began; when the game has stopped, with the last deal's points."""
    deal: D
    """The current deal; when the game has stopped, the last one."""
    finished: tuple[D, ...] = ()
    """All finished deals."""

    @classmethod
    def begin(cls, dealing: Dealing[D], first_dealer: int, seats: int) -> Race[D]:
        """Deal the first cards; raises `ReplayError` if there are none."""
        standing = Standing(first_dealer, (0,) * seats, 0)
        deal = dealing.deal(0, standing)
        if deal is None:
            raise ReplayError("a game has at least one deal", deal=0)
        return _going_on(Race(dealing, standing, deal))

    @property
    def to_act(self) -> int | None:
        """The seat that is asked next; None when the game is over or its given deals ran out."""
        return self.deal.to_act

    @property
    def points(self) -> tuple[int, ...]:
        """Points of the game so far, by seat."""
        return self.standing.points

    @property
    def outcome(self) -> Outcome | None:
        """Set once a seat has reached the target (2H-8.1)."""
        points = self.standing.points
        most = max(points)
        return Outcome(points, points.index(most)) if most >= self.dealing.target else None

    def legal(self) -> tuple[str, ...]:
        """Return all actions open to the seat to act, sorted as strings; empty if there is none."""
        return self.deal.legal

    def apply(self, action: str) -> Race[D]:
        """Return the state after `action`; raises `IllegalActionError` if it is not legal."""
        deal = self.deal.apply(action)
        race = replace(self, deal=deal)
        return race if deal.to_act is not None else _going_on(race)

    def view(self, seat: int) -> msgspec.Struct:
        """Return what `seat` may know now."""
        return self.deal.view(seat, self._number(), self.standing)

    def deals(self) -> tuple[dict[str, Any], ...]:
        """Return all deals so far as the game record shows them."""
        running = () if self.deal.to_act is None else (self.deal,)
        return tuple(deal.record() for deal in (*self.finished, *running))

    def finished_deals(self) -> tuple[FinishedDeal, ...]:
        """Return what came of each finished deal."""
        return tuple(FinishedDeal(deal.dealer, deal.points) for deal in self.finished)

    def places(self) -> tuple[Place, ...]:
        """Return where each card of the pack is in the current deal."""
        return self.deal.places()

    def _number(self) -> int:
        """Count the deals before the current one."""
        return len(self.finished) - (self.deal.to_act is None)


def _going_on(race: Race[D]) -> Race[D]:
    """Return `race` with its next deal begun if the current one is finished.

    A loop, because a deal can be finished as soon as its upcard is turned (`REDEAL`).
    """
    while race.deal.to_act is None:
        standing = _after(race.standing, race.deal, race.dealing.dealer_after_throw_in)
        finished = (*race.finished, race.deal)
        race = replace(race, standing=standing, finished=finished)
        following = None if race.outcome else race.dealing.deal(len(finished), standing)
        if following is None:
            return race
        race = replace(race, deal=following)
    return race


def _after(old: Standing, deal: Deal, dealer_after_throw_in: Literal["next", "same"]) -> Standing:
    """Add the finished deal's points and pass the deal on (2H-5.4, 2H-8.3).

    Nothing changes after a redeal (2H-3.5).
    """
    if deal.reason == REDEAL:
        return old
    thrown_in = deal.reason == THROW_IN
    keeps = thrown_in and dealer_after_throw_in == "same"
    return Standing(
        dealer=old.dealer if keeps else (old.dealer + 1) % len(old.points),
        points=tuple(a + b for a, b in zip(old.points, deal.points, strict=True)),
        throw_ins=old.throw_ins + 1 if thrown_in else 0,
    )
