"""A race to a target, played with the simplest deals there can be: one seat says how it ends."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
import pytest
from msgspec.structs import replace

from arena.errors import IllegalActionError, ReplayError
from arena.rules.base import FinishedDeal, Outcome
from arena.rules.race import REDEAL, THROW_IN, Deal, Race, Standing, begin, going_on

CHOICES = ("0", "1", "2", THROW_IN)


class Flip(Deal, frozen=True):
    """A deal in which the dealer says who scores a point, or that nobody does."""

    reason: str | None = None
    scored: tuple[int, ...] = (0, 0, 0)

    def apply(self, action: str) -> Deal:
        if action not in self.choices:
            raise self.refusal(action)
        over = replace(self, to_act=None, choices=())
        if action == THROW_IN:
            return going_on(replace(over, reason=THROW_IN))
        scored = tuple(int(seat == int(action)) for seat in range(3))
        return going_on(replace(over, reason="played", scored=scored))

    def view(self, seat: int) -> Seen:
        return Seen(seat, self.race.number, self.race.standing)

    def record(self) -> dict[str, Any]:
        return {"dealer": self.race.standing.dealer, "reason": None}

    def ended(self) -> Flipped:
        return Flipped(self.race.standing.dealer, self.reason, self.scored)


class Flipped(msgspec.Struct, frozen=True):
    dealer: int
    reason: str | None
    points: tuple[int, ...]

    def record(self) -> dict[str, Any]:
        return {"dealer": self.dealer, "reason": self.reason}


class Seen(msgspec.Struct, frozen=True):
    seat: int
    number: int
    standing: Standing


class Flips(msgspec.Struct, frozen=True):
    """Deals numbered in `redealt` are void as they are dealt; after `last` there are no more."""

    target: int = 2
    dealer_after_throw_in: Literal["next", "same"] = "next"
    redealt: tuple[int, ...] = ()
    last: int = 99

    def deal(self, race: Race) -> Flip | None:
        if race.number > self.last:
            return None
        if race.number in self.redealt:
            return Flip(race, None, (), REDEAL)
        return Flip(race, race.standing.dealer, CHOICES)


def race(*actions: str, first_dealer: int = 0, **flips: Any) -> Deal:
    state = begin(Flips(**flips), first_dealer, 3)
    for action in actions:
        state = state.apply(action)
    return state


def test_the_deal_passes_on_after_every_deal() -> None:
    """2H-8.3."""
    dealers = [race(*["0"] * n, target=9, first_dealer=2).to_act for n in range(5)]
    assert dealers == [2, 0, 1, 2, 0]


def test_after_a_throw_in_the_next_deals_or_the_same() -> None:
    """2H-5.4."""
    assert race(THROW_IN, first_dealer=1).to_act == 2
    assert race(THROW_IN, first_dealer=1, dealer_after_throw_in="same").to_act == 1
    assert race("0", first_dealer=1, dealer_after_throw_in="same").to_act == 2


def test_throw_ins_are_counted_in_a_row() -> None:
    rows = [
        race(*actions).race.standing.throw_ins
        for actions in ([], [THROW_IN], [THROW_IN] * 3, [THROW_IN, "1"], [THROW_IN, "1", THROW_IN])
    ]
    assert rows == [0, 1, 3, 0, 1]


def test_a_redeal_changes_nothing_but_the_number_of_the_deal() -> None:
    """2H-3.5."""
    state = race(THROW_IN, first_dealer=1, redealt=(1, 2))
    assert state.to_act == 2
    assert state.race.standing.throw_ins == 1
    assert state.view(0) == Seen(0, 3, Standing(2, (0, 0, 0), 1))
    assert [deal["reason"] for deal in state.deals()] == [THROW_IN, REDEAL, REDEAL, None]
    assert race(redealt=(0,), first_dealer=1).to_act == 1


def test_points_add_up_until_a_seat_reaches_the_target() -> None:
    """2H-8.1."""
    before = race("2", "0", THROW_IN)
    assert before.points == (1, 0, 1)
    assert before.outcome is None
    after = before.apply("2")
    assert after.points == (1, 0, 2)
    assert after.outcome == Outcome((1, 0, 2), 2)
    assert after.to_act is None
    assert after.legal() == ()
    assert [deal["reason"] for deal in after.deals()] == ["played", "played", THROW_IN, "played"]
    assert after.view(1) == Seen(1, 3, Standing(1, (1, 0, 2), 0))
    with pytest.raises(IllegalActionError):
        after.apply("2")


def test_finished_deals_say_who_dealt_and_who_scored() -> None:
    assert race(first_dealer=1).finished_deals() == ()
    thrown_in = FinishedDeal(1, (0, 0, 0))
    after = race(THROW_IN, "2", first_dealer=1, dealer_after_throw_in="same")
    assert after.finished_deals() == (thrown_in, FinishedDeal(1, (0, 0, 1)))
    redealt = race("0", redealt=(0,), first_dealer=1)
    assert redealt.finished_deals() == (FinishedDeal(1, (0, 0, 0)), FinishedDeal(1, (1, 0, 0)))


def test_points_over_the_target_win_too() -> None:
    assert race("1", target=1).outcome == Outcome((0, 1, 0), 1)


@pytest.mark.parametrize("redealt", [(), (1,)])
def test_a_game_whose_deals_run_out_stops_without_an_outcome(redealt: tuple[int, ...]) -> None:
    last = len(redealt)
    state = race("1", last=last, redealt=redealt)
    assert (state.to_act, state.outcome, state.legal()) == (None, None, ())
    assert state.points == (0, 1, 0)
    assert len(state.deals()) == last + 1


def test_a_game_has_at_least_one_deal() -> None:
    with pytest.raises(ReplayError) as refusal:
        race(last=-1)
    assert refusal.value.deal == 0
