"""Every option of two-handed Euchre in whole games: what it changes and what it leaves alone."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from playing import Choose, actions_of, apply_all, at_random, play, random_deal

from arena import rules
from arena.cards import pack
from arena.rules.euchre import RANKINGS, View
from arena.rules.tricks import winner

BOARD_SEEDS = tuple(seed.to_bytes(32, "big") for seed in range(40))
Deal = dict[str, Any]


def passing(legal: Sequence[str]) -> str:
    """Pass whenever it is allowed, else take the first of what is."""
    return "pass" if "pass" in legal else legal[0]


def games(options: dict[str, object], choose: Choose | None = None) -> list[list[rules.State]]:
    """Play a game on each board seed, at random unless told otherwise."""
    loaded = rules.load("two_handed", options)
    return [
        play(loaded.start(seed), choose or at_random(number, calm=0.2))
        for number, seed in enumerate(BOARD_SEEDS)
    ]


def deals(options: dict[str, object], choose: Choose | None = None) -> list[Deal]:
    return [deal for states in games(options, choose) for deal in states[-1].deals()]


def decisions(options: dict[str, object]) -> list[tuple[View, tuple[str, ...], Deal]]:
    """Return every decision of the games: its view, what was legal, the deal so far."""
    return [
        (view_of(state), state.legal(), state.deals()[-1])
        for states in games(options)
        for state in states[:-1]
    ]


def view_of(state: rules.State, seat: int | None = None) -> View:
    """Return the view of `seat`, or of the one to act."""
    seat = state.to_act if seat is None else seat
    assert seat is not None
    view = state.view(seat)
    assert isinstance(view, View)
    return view


def joker_up(joker_upcard: str, number_of_deals: int = 1, **options: object) -> rules.State:
    """Begin a game, seat 0 dealing, whose first upcard is the joker and no other is."""
    loaded = rules.load("two_handed", {"deck_size": 25, "joker_upcard": joker_upcard, **options})
    given_deals = [random_deal(k, 25, "9C" if k else "XX") for k in range(number_of_deals)]
    return loaded.start_from(given_deals, 0)


@pytest.mark.parametrize(("size", "stock"), [(24, 13), (25, 14), (32, 21), (33, 22)])
def test_deck_size(size: int, stock: int) -> None:
    """2H-1.1, 2H-1.2, 2H-3.2."""
    for deal in deals({"deck_size": size}):
        assert len(deal["stock"]) == stock
        cards = [*deal["hands"][0], *deal["hands"][1], deal["upcard"], *deal["stock"]]
        assert sorted(cards) == sorted(pack(size))


@pytest.mark.parametrize("suit", "CDHS")
def test_a_joker_turned_up_proposes_the_suit_agreed(suit: str) -> None:
    """2H-3.5."""
    state = joker_up(suit)
    assert (view_of(state).phase, view_of(state).proposed, state.to_act) == ("order", suit, 1)
    taken = apply_all(state, ["order", "pick_up"])
    assert view_of(taken).trump == suit
    assert "XX" in view_of(taken).hand
    named = view_of(state.apply("pass").apply("pass"))
    assert named.turned_down
    assert f"name:{suit}" not in state.apply("pass").apply("pass").legal()


@pytest.mark.parametrize("joker_upcard", ["dealer_declares", "dealer_makes"])
def test_the_dealer_speaks_for_the_joker_before_seeing_a_hand(joker_upcard: str) -> None:
    """2H-3.5: hands are shown after the declaration only."""
    state = joker_up(joker_upcard)
    assert state.legal() == ("declare:C", "declare:D", "declare:H", "declare:S")
    for seat in (0, 1):
        view = view_of(state, seat)
        assert (view.phase, view.hand, view.proposed) == ("joker_suit", (), None)
    declared = state.apply("declare:S")
    assert len(view_of(declared, 1).hand) == 5
    assert view_of(declared).proposed == "S"


@pytest.mark.parametrize("suit", "CDHS")
def test_dealer_declares(suit: str) -> None:
    """2H-3.5: the suit is only proposed, the bidding goes on as ever."""
    state = joker_up("dealer_declares").apply(f"declare:{suit}")
    view = view_of(state)
    assert (view.phase, state.to_act, state.legal()) == ("order", 1, ("order", "pass"))
    assert (view.trump, view.maker) == (None, None)
    second_round = apply_all(state, ["pass", "pass"])
    names = {f"name:{other}" for other in "CDHS" if other != suit}
    assert set(second_round.legal()) == {"pass", *names}
    accepted = apply_all(state, ["pass", "accept"])
    assert (view_of(accepted).trump, view_of(accepted).maker) == (suit, 0)


@pytest.mark.parametrize("suit", "CDHS")
@pytest.mark.parametrize("may_discard", [False, True])
def test_dealer_makes(suit: str, may_discard: bool) -> None:
    """2H-3.5: the dealer is maker at once, takes the joker and discards."""
    state = joker_up("dealer_makes", may_discard_upcard=may_discard).apply(f"declare:{suit}")
    view = view_of(state)
    assert (view.phase, view.trump, view.maker, state.to_act) == ("discard", suit, 0, 0)
    assert len(view.hand) == 6
    assert ("discard:XX" in state.legal()) == may_discard


def test_a_joker_redeal_is_void_with_the_same_dealer() -> None:
    """2H-3.5: no points, and it neither counts as a throw-in nor ends a row of them."""
    loaded = rules.load("two_handed", {"deck_size": 25, "joker_upcard": "redeal"})
    upcards = ("9C", "XX", "XX", "9D", "XX")
    state = loaded.start_from([random_deal(k, 25, up) for k, up in enumerate(upcards)], 0)
    state = apply_all(state, ["pass"] * 4)
    view = view_of(state)
    assert (view.deal, view.dealer, view.throw_ins, view.points) == (3, 1, 1, (0, 0))
    void = state.deals()[1]
    assert (void["dealer"], void["actions"], void["reason"]) == (1, [], "joker_redeal")
    assert (void["tricks"], void["points"], void["trump"], void["maker"]) == (
        *([0, 0], [0, 0]),
        *(None, None),
    )
    stopped = apply_all(state, ["pass"] * 4)
    assert (stopped.to_act, stopped.outcome, len(stopped.deals())) == (None, None, 5)


def test_only_a_redeal_depends_on_the_joker_turned_up() -> None:
    options: dict[str, object] = {"deck_size": 25, "joker_upcard": "redeal"}
    reasons = {
        (deal["upcard"] == "XX", deal["reason"] == "joker_redeal") for deal in deals(options)
    }
    assert reasons == {(True, True), (False, False)}


def test_ordered_pickup() -> None:
    """2H-4.4, 2H-4.5: whoever is ordered up may decline, unless it is mandatory."""
    answers = {
        way: {
            deal["actions"][1][1].split(":")[0]
            for deal in deals({"ordered_pickup": way})
            if deal["actions"][0][1] == "order"
        }
        for way in ("optional", "mandatory")
    }
    assert answers == {"optional": {"pick_up", "decline"}, "mandatory": {"discard"}}


@pytest.mark.parametrize("may", [False, True])
def test_may_discard_upcard(may: bool) -> None:
    """2H-4.6: the upcard is one of six only with the option."""
    asked = [
        entry for entry in decisions({"may_discard_upcard": may}) if entry[0].phase == "discard"
    ]
    assert asked
    for view, legal, deal in asked:
        dealt = deal["hands"][deal["dealer"]]
        assert view.hand == (*dealt, deal["upcard"])
        allowed = view.hand if may else dealt
        assert set(legal) == {f"discard:{card}" for card in allowed}


@pytest.mark.parametrize("may", [False, True])
def test_may_name_turned_down_suit(may: bool) -> None:
    """2H-5.3."""
    asked = [
        entry for entry in decisions({"may_name_turned_down_suit": may}) if entry[0].phase == "name"
    ]
    assert asked
    for view, legal, _ in asked:
        suits = {suit for suit in "CDHS" if may or suit != view.upcard[1]}
        assert set(legal) == {"pass"} | {f"name:{suit}" for suit in suits}


def test_stick_the_dealer() -> None:
    """2H-5.5: it binds only the dealer, and nothing is thrown in."""
    asked = [
        (view.seat == view.dealer, "pass" in legal)
        for view, legal, _ in decisions({"stick_the_dealer": True})
        if view.phase == "name"
    ]
    assert set(asked) == {(True, False), (False, True)}
    assert all(
        deal["maker"] == deal["dealer"] for deal in deals({"stick_the_dealer": True}, passing)
    )


@pytest.mark.parametrize("cap", [1, 2, 5, 20])
def test_throw_in_cap(cap: int) -> None:
    """2H-5.7: after so many throw-ins in a row the dealer must name; then the count begins anew."""
    options: dict[str, object] = {"throw_in_cap": cap, "target_score": 3}
    for states in games(options, passing):
        reasons = [deal["reason"] for deal in states[-1].deals()]
        for first in range(0, len(reasons), cap + 1):
            *thrown_in, played = reasons[first : first + cap + 1]
            assert thrown_in == ["throw_in"] * cap
            assert played != "throw_in"
        assert {view_of(state).throw_ins for state in states[:-1]} == set(range(cap + 1))


@pytest.mark.parametrize("who", ["next", "same"])
def test_dealer_after_throw_in(who: str) -> None:
    """2H-5.4, 2H-8.3: otherwise the deal alternates."""
    thrown_in = 0
    for states in games({"dealer_after_throw_in": who}):
        for deal, following in pairwise(states[-1].deals()):
            keeps = who == "same" and deal["reason"] == "throw_in"
            assert (following["dealer"] == deal["dealer"]) == keeps
            thrown_in += deal["reason"] == "throw_in"
    assert thrown_in


def test_play_out() -> None:
    """2H-6.7: all five tricks, or none more once the points are settled; they are the same."""
    assert all(sum(deal["tricks"]) in {0, 5} for deal in deals({"play_out": True}))
    played = [deal for deal in deals({"play_out": False}) if deal["reason"] != "throw_in"]
    assert {_by_role(deal) for deal in played} == {
        *((0, 3), (1, 3), (2, 3)),  # the defender has three
        *((3, 1), (3, 2), (4, 1)),  # the maker has three and the defender one
        (5, 0),
    }
    assert all(deal["points"] == _played_on(deal)["points"] for deal in played)


def _by_role(deal: Deal) -> tuple[int, int]:
    """Return the tricks of the maker and of the defender."""
    return deal["tricks"][deal["maker"]], deal["tricks"][1 - deal["maker"]]


def _played_on(deal: Deal) -> Deal:
    """Play the same deal to its last trick."""
    state = rules.load("two_handed").start_from([deal], deal["dealer"])
    return play(apply_all(state, actions_of([deal])), at_random(1))[-1].deals()[0]


@given(
    st.integers(1, 9), st.integers(1, 9), st.integers(1, 9), st.integers(1, 30), st.integers(0, 99)
)
def test_points_and_target(made: int, march: int, euchre: int, target: int, seed: int) -> None:
    """2H-7, 2H-8.1: each ending has its points, one seat scores, the target ends the game."""
    options = {
        "points_made": made,
        "points_march": march,
        "points_euchre": euchre,
        "target_score": target,
    }
    state = rules.load("two_handed", options).start(seed.to_bytes(32, "big"))
    last = play(state, at_random(seed))[-1]
    points = [0, 0]
    for deal in last.deals():
        assert max(points) < target
        assert (deal["reason"], deal["points"]) == _expected(deal, options)
        points = [a + b for a, b in zip(points, deal["points"], strict=True)]
    assert max(points) >= target
    assert last.outcome == rules.Outcome((points[0], points[1]), points.index(max(points)))


def _expected(deal: Deal, options: dict[str, int]) -> tuple[str, list[int]]:
    """Work out a deal's ending from its cards alone."""
    if deal["maker"] is None:
        return "throw_in", [0, 0]
    plays = [(seat, a[5:]) for seat, a in deal["actions"] if a.startswith("play:")]
    ranking = RANKINGS[deal["trump"]]
    tricks = [plays[at : at + 2] for at in range(0, 10, 2)]
    winners = [trick[winner([card for _, card in trick], ranking)][0] for trick in tricks]
    taken = winners.count(deal["maker"])
    reason = "march" if taken == 5 else "made" if taken >= 3 else "euchre"
    scorer = deal["maker"] if taken >= 3 else 1 - deal["maker"]
    points = [0, 0]
    points[scorer] = options[f"points_{reason}"]
    return reason, points


def test_a_dealer_is_stuck_in_one_deal_only() -> None:
    """2H-5.7 holds for the deal after the row, also when others deal than usual."""
    options: dict[str, object] = {"throw_in_cap": 1, "dealer_after_throw_in": "same"}
    for states in games(options, passing):
        reasons = [deal["reason"] == "throw_in" for deal in states[-1].deals()]
        assert all(one != other for one, other in pairwise(reasons))
