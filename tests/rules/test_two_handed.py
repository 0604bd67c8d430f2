"""What two-handed Euchre shows to whom, and what its records hold while a deal is running."""

from __future__ import annotations

import json
import random
from typing import Any

import msgspec
import pytest
from playing import apply_all, at_random, dealt, play

from arena import rules
from arena.errors import IllegalActionError, ReplayError
from arena.rules.euchre import View

HANDS = (["9C", "TC", "JS", "AH", "KD"], ["JC", "AC", "9S", "QH", "AD"])
TAKEN = ["pass", "accept", "discard:JS"]
FULL = {"deck_size": 33, "joker_upcard": "dealer_declares", "may_discard_upcard": True}


def begin(options: dict[str, object] | None = None, deals: int = 1) -> rules.State:
    loaded = rules.load("two_handed", options)
    size = (options or {}).get("deck_size", 24)
    assert isinstance(size, int)
    return loaded.start_from([dealt(HANDS, "QC", size)] * deals, 0)


def view_of(state: rules.State, seat: int) -> View:
    view = state.view(seat)
    assert isinstance(view, View)
    return view


def test_the_view_on_the_wire_is_the_one_of_the_protocol() -> None:
    assert msgspec.json.encode(begin().view(1)).decode() == (
        '{"seat":1,"phase":"order","deal":0,"dealer":0,"points":[0,0],"target":10,'
        '"hand":["JC","AC","9S","QH","AD"],"upcard":"QC","proposed":"C","trump":null,"maker":null,'
        '"turned_down":false,"throw_ins":0,"trick":[],"tricks":[0,0],"history":[]}'
    )


def test_a_view_in_the_middle_of_a_trick() -> None:
    state = apply_all(begin(), ["order", "decline", "play:JC", "play:9C", "play:9S"])
    assert json.loads(msgspec.json.encode(state.view(0))) == {
        **json.loads(msgspec.json.encode(begin().view(0))),
        "phase": "play",
        "trump": "C",
        "maker": 1,
        "hand": ["TC", "JS", "AH", "KD"],
        "trick": [[1, "9S"]],
        "tricks": [0, 1],
        "history": [
            *([1, "order"], [0, "decline"]),
            *([1, "play:JC"], [0, "play:9C"], [1, "play:9S"]),
        ],
    }


def test_the_dealer_holds_six_cards_until_the_discard() -> None:
    state = apply_all(begin(), TAKEN[:2])
    assert view_of(state, 0).hand == ("9C", "TC", "JS", "AH", "KD", "QC")
    assert view_of(state, 1).hand == ("JC", "AC", "9S", "QH", "AD")


def test_a_discard_is_shown_to_the_dealer_alone() -> None:
    """2H-3.6; the record has it open."""
    state = apply_all(begin(), [*TAKEN, "play:9S"])
    before, after = ((1, "pass"), (0, "accept")), ((1, "play:9S"),)
    assert view_of(state, 0).history == (*before, (0, "discard:JS"), *after)
    assert view_of(state, 1).history == (*before, (0, "discard"), *after)
    assert "JS" not in msgspec.json.encode(state.view(1)).decode()
    assert state.deals()[0]["actions"][2] == [0, "discard:JS"]


def test_the_upcard_is_seen_after_it_was_turned_down() -> None:
    """2H-3.6."""
    view = view_of(apply_all(begin(), ["pass", "pass"]), 1)
    assert (view.phase, view.turned_down, view.upcard, view.proposed) == ("name", True, "QC", "C")


def test_throw_ins_in_a_row_are_in_the_view() -> None:
    state = apply_all(begin(deals=3), ["pass"] * 8)
    view = view_of(state, 0)
    assert (view.deal, view.throw_ins, view.dealer, view.history) == (2, 2, 0, ())


@pytest.mark.parametrize(
    ("actions", "trump", "maker"),
    [
        ([], None, None),
        (["pass"], None, None),
        (["order"], "C", 1),
        (["pass", "accept"], "C", 0),
        (["pass", "pass", "pass", "name:S"], "S", 0),
    ],
)
def test_a_deal_broken_off_has_what_is_settled_and_no_more(
    actions: list[str], trump: str | None, maker: int | None
) -> None:
    (deal,) = apply_all(begin(), actions).deals()
    assert set(deal) == {"dealer", "hands", "upcard", "stock", "actions", "trump", "maker"}
    assert (deal["trump"], deal["maker"]) == (trump, maker)
    assert deal["hands"] == [list(hand) for hand in HANDS]
    assert [action for _, action in deal["actions"]] == actions


def test_a_refusal_says_what_is_legal() -> None:
    with pytest.raises(IllegalActionError, match="'play:KD' is not legal; legal: play:AH"):
        apply_all(begin(), ["order", "decline", "play:QH", "play:KD"])
    with pytest.raises(IllegalActionError, match="'pass' is not legal; legal: nothing"):
        apply_all(begin(), ["pass"] * 5)


@pytest.mark.parametrize("first_dealer", [-1, 2, None, "0"])
def test_the_first_dealer_is_a_seat(first_dealer: Any) -> None:
    with pytest.raises(ReplayError, match="the first dealer is seat 0 or 1"):
        rules.load("two_handed").start_from([dealt(HANDS, "QC")], first_dealer)


@pytest.mark.parametrize("seat", [0, 1])
def test_the_first_dealer_is_the_lowest_bit_of_the_seed(seat: int) -> None:
    """2H-3.1."""
    loaded = rules.load("two_handed")
    for last_byte in range(seat, 256, 2):
        start = loaded.start(bytes(31) + bytes([last_byte]))
        assert start.deals()[0]["dealer"] == seat
        assert start.to_act == 1 - seat


def test_a_deal_has_at_most_fifteen_actions() -> None:
    """The table of decision points: declare, four bids, ten cards."""
    most = 0
    for seed in range(300):
        start = rules.load("two_handed", FULL).start(random.Random(seed).randbytes(32))
        last = play(start, at_random(seed, calm=0.3))[-1]
        most = max(most, *(len(deal["actions"]) for deal in last.deals()))
    assert most == 15


def test_the_places_of_a_deal() -> None:
    state = apply_all(begin(), [*TAKEN, "play:9S", "play:KD"])
    places = {place.name: (place.cards, set(place.seen_by)) for place in state.places()}
    assert places["hand 0"] == (("9C", "TC", "AH"), {0})
    assert places["hand 1"] == (("JC", "AC", "QH", "AD"), {1})
    assert places["upcard"] == (("QC",), {0, 1})
    assert places["discard"] == (("JS",), {0})
    assert places["played"] == (("9S", "KD"), {0, 1})
    assert places["stock"][1] == set()
    assert len(places["stock"][0]) == 13
