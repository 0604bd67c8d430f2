"""Why an action is not legal: each kind by its examples, and that every mistake has a sentence."""

from __future__ import annotations

import random
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_words import at

from arena import rules
from arena.cards import SUITS, pack
from arena.report import mistakes
from arena.report.mistakes import two_handed
from arena.rules.euchre import View

TELL = mistakes.load("two_handed")
ACTIONS = [
    *("order", "accept", "pass", "pick_up", "decline"),
    *(f"{kind}:{suit}" for kind in ("name", "declare") for suit in SUITS),
    *(f"{kind}:{card}" for kind in ("play", "discard") for card in pack(33)),
]
"""Seat 0 holds 9C TC JD AH KD and deals; seat 1 holds JC AC 9D QH AD; KH is turned up."""


def told(after: str, action: str, **given: Any) -> tuple[str, str]:
    state = at(*after.split(), **given)
    assert state.to_act is not None
    return TELL(state.view(state.to_act), state.legal(), action)


@pytest.mark.parametrize(
    ("after", "action", "kind", "text"),
    [
        ("", "foo", "unknown", '"foo" is no action of this game'),
        ("", "Order", "unknown", '"Order" is no action; did you mean "order"?'),
        ("order decline", "play:ac", "unknown", '"play:ac" is no action; did you mean "play:AC"?'),
        ("", "\x1b[31m", "unknown", r'"\x1b[31m" is no action of this game'),
        ("", "play:AC", "phase", "you cannot play A♣ now: it is time to order up or pass"),
        ("pass", "name:S", "phase", "you cannot name ♠ now: it is time to accept or pass"),
        ("order", "pass", "phase", "you cannot pass now: it is time to pick up or decline"),
        ("pass accept", "play:9C", "phase", "you cannot play 9♣ now: it is time to discard a card"),
        ("pass pass", "order", "phase", "you cannot order up now: it is time to name a suit"),
        ("order decline", "pass", "phase", "you cannot pass now: it is time to play a card"),
        (
            *("", "accept", "role"),
            "only the dealer accepts; the non-dealer may order up or pass",
        ),
        (
            *("pass", "order", "role"),
            "only the non-dealer orders up; the dealer may accept or pass",
        ),
        ("pass accept", "discard:AD", "not_in_hand", "A♦ is not in hand"),
        ("order decline", "play:KH", "not_in_hand", "K♥ is not in hand, it is the upcard"),
        (
            *("order decline play:AC play:9C", "play:AC", "not_in_hand"),
            "A♣ is not in hand, it has been played",
        ),
        (
            *("pass accept discard:9C play:9D", "play:9C", "not_in_hand"),
            "9♣ is not in hand, it was discarded",
        ),
        (
            *("pass accept", "discard:KH", "upcard_discarded"),
            "K♥ is the upcard just taken: you must discard another card",
        ),
        (
            *("pass pass", "name:H", "turned_down_suit"),
            "♥ was turned down: you must name another suit",
        ),
        ("order decline play:AC", "play:KD", "follow", "you must follow ♣"),
        (
            *("order decline play:AC", "play:JD", "follow"),
            "J♦ is the left bower, so it is a heart: you must follow ♣",
        ),
        (
            *("order decline play:9D", "play:JD", "printed_suit"),
            "J♦ is the left bower, so it is a heart: you must follow ♦",
        ),
        (
            *("order decline play:AC play:9C play:9D play:KD play:JD", "play:AD", "printed_suit"),
            "J♦, which was led, is the left bower, so it is a heart: you must follow ♥",
        ),
    ],
)
def test_what_is_said(after: str, action: str, kind: str, text: str) -> None:
    assert told(after, action) == (kind, text)


def test_a_stuck_dealer_who_passes() -> None:
    found = told("pass pass pass", "pass", options={"stick_the_dealer": True})
    text = "all others have passed, so the dealer must name a suit: you may not pass"
    assert found == ("stuck_dealer", text)


@pytest.mark.parametrize(
    ("hand", "text"),
    [
        ("9S JD 9C TC KC", "J♦ is the left bower, so it is a heart: you must follow ♥ with it"),
        ("9S XX 9C TC KC", "the joker is a trump, so it is a heart: you must follow ♥ with it"),
    ],
)
def test_a_card_that_does_not_look_so_is_all_that_follows(hand: str, text: str) -> None:
    held = [hand.split(), ["AH", "AC", "AD", "KD", "QD"]]
    stock = [card for card in pack(25) if card not in [*held[0], *held[1], "TH"]]
    known = rules.load("two_handed", {"deck_size": 25})
    state = known.start_from([{"hands": held, "upcard": "TH", "stock": stock}], 0)
    for action in ("order", "decline", "play:AH"):
        state = state.apply(action)
    assert TELL(state.view(0), state.legal(), "play:9S") == ("printed_suit", text)
    assert TELL(state.view(0), state.legal(), "play:9S", "ann").text.count("ann must") == 1


@settings(max_examples=40)
@given(
    seed=st.binary(min_size=32, max_size=32),
    deck_size=st.sampled_from([24, 25, 32, 33]),
    joker=st.sampled_from(["H", "dealer_declares", "dealer_makes"]),
    flags=st.tuples(st.booleans(), st.booleans(), st.booleans()),
    text=st.text(max_size=64),
)
def test_every_illegal_action_has_a_sentence(
    seed: bytes, deck_size: int, joker: str, flags: tuple[bool, bool, bool], text: str
) -> None:
    names = ("stick_the_dealer", "may_discard_upcard", "may_name_turned_down_suit")
    chosen = {"joker_upcard": joker} if deck_size % 2 else {}
    options = {
        "deck_size": deck_size,
        "target_score": 1,
        **chosen,
        **dict(zip(names, flags, strict=True)),
    }
    state, dice = rules.load("two_handed", options).start(seed), random.Random(seed)
    while state.to_act is not None:
        view, legal = state.view(state.to_act), state.legal()
        assert isinstance(view, View)
        for action in {*ACTIONS, text}.difference(legal):
            kind, said = TELL(view, legal, action, "ann")
            assert kind in get_args(two_handed.Kind)
            assert said.isprintable()
            assert said.strip() == said
            check_kind(view, legal, action, kind)
        state = state.apply(dice.choice(legal))


def check_kind(view: View, legal: tuple[str, ...], action: str, kind: str) -> None:
    """Compare with what follows from what is legal, said another way."""
    what, _, of = action.partition(":")
    assert (kind == "unknown") == (action not in ACTIONS)
    if action in ACTIONS:
        same = [one for one in legal if one.partition(":")[0] == what]
        if view.phase in ("play", "discard"):
            assert (kind == "phase") == (not same)
            assert (kind == "not_in_hand") == (bool(same) and of not in view.hand)
        assert (kind == "upcard_discarded") == (
            view.phase == "discard" and what == "discard" and of == view.upcard
        )
        assert (kind == "turned_down_suit") == (view.phase == "name" and what == "name")
        assert (kind == "stuck_dealer") == (view.phase == "name" and what == "pass")


def test_a_legal_action_is_no_mistake() -> None:
    with pytest.raises(ValueError, match="legal"):
        told("", "order")


@pytest.mark.parametrize("variant", rules.names())
def test_every_variant_tells_its_mistakes(variant: str) -> None:
    state = rules.load(variant).start(bytes(32))
    assert state.to_act is not None
    found = mistakes.load(variant)(state.view(state.to_act), state.legal(), "", "ann")
    assert found.text
