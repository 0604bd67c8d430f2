"""The game in words and cards."""

from __future__ import annotations

import ast
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import arena
from arena import rules
from arena.cards import JOKER, SUITS, pack
from arena.report import words
from arena.report.words import YOU
from arena.report.words import two_handed as home

TOLD = words.load("two_handed")
NAMES = ("ann", YOU)
HANDS = (["9C", "TC", "JD", "AH", "KD"], ["JC", "AC", "9D", "QH", "AD"])


def at(*actions: str, upcard: str = "KH", options: dict[str, Any] | None = None) -> rules.State:
    """A game of one deal after some actions; seat 0 deals."""
    deck_size = 25 if upcard == "XX" else 24
    dealt = {upcard, *HANDS[0], *HANDS[1]}
    stock = [card for card in pack(deck_size) if card not in dealt]
    known = rules.load("two_handed", {"deck_size": deck_size, **(options or {})})
    deal = {"hands": HANDS, "upcard": upcard, "stock": stock}
    return after(known.start_from([deal], 0), actions)


def after(state: rules.State, actions: Sequence[str]) -> rules.State:
    for action in actions:
        state = state.apply(action)
    return state


def test_signs_have_one_home() -> None:
    """No other module of the arena writes out a suit's sign or the joker."""
    assert (home.JOKER, *home.SIGNS) == (JOKER, *SUITS)
    assert home.SUIT_NAMES.keys() == home.SIGNS.keys()
    root = Path(arena.__file__).parent
    own = {JOKER, *home.SIGNS.values()}
    found = {
        file.relative_to(root).as_posix()
        for file in root.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in own
    }
    assert found == {"cards.py", "report/words/two_handed.py"}


def view_of(state: rules.State) -> Any:
    assert state.to_act is not None
    return state.view(state.to_act)


@pytest.mark.parametrize("variant", rules.names())
def test_every_variant_has_its_words(variant: str) -> None:
    """Whatever can be done in it can be told, and every deal's end."""
    told = words.load(variant)
    state = rules.load(variant).start(bytes(32))
    dice = random.Random(1)
    while state.to_act is not None:
        view = view_of(state)
        for action in state.legal():
            assert told.told(view, action, YOU) == f"{YOU} {told.choice(view, action)}"
        assert told.head(view, ("a", "b")).startswith(f"Deal {view.deal} ")
        state = state.apply(dice.choice(state.legal()))
    for deal in state.deals():
        assert told.ended(deal, ("a", "b"))


@pytest.mark.parametrize(
    ("card", "text"), [("JD", "J♦"), ("TC", "10♣"), ("9S", "9♠"), ("AH", "A♥"), ("XX", "joker")]
)
def test_cards(card: str, text: str) -> None:
    assert TOLD.card(card) == text


def test_a_hand_has_the_trumps_first_and_the_bowers_among_them() -> None:
    hand = ["9S", "AH", "JD", "KD", "TC", "JH", "XX"]
    assert TOLD.hand(hand, "H") == ("XX", "JH", "JD", "AH", "9S", "TC", "KD")
    assert TOLD.hand(hand) == ("XX", "9S", "AH", "JH", "TC", "KD", "JD")


@pytest.mark.parametrize(
    ("actions", "action", "told"),
    [
        ((), "order", "orders up"),
        ((), "pass", "passes"),
        (("pass",), "accept", "accepts"),
        (("order",), "pick_up", "picks up"),
        (("order",), "decline", "declines"),
        (("pass", "accept"), "discard:TC", "discards 10♣"),
        (("pass", "accept"), "discard", "discards a card"),
        (("pass", "pass"), "name:S", "names ♠"),
        (("order", "decline"), "play:9D", "leads 9♦"),
        (("order", "decline", "play:9D"), "play:KD", "plays K♦"),
    ],
)
def test_actions(actions: tuple[str, ...], action: str, told: str) -> None:
    assert TOLD.told(view_of(at(*actions)), action, "ann") == f"ann {told}"


def test_actions_with_a_joker() -> None:
    state = at(upcard="XX", options={"joker_upcard": "dealer_makes"})
    assert TOLD.told(view_of(state), "declare:S", "ann") == "ann declares ♠"
    state = after(state, ["declare:S", "discard:9C", "play:JC"])
    assert TOLD.told(view_of(state), "play:XX", YOU) == "you play the joker"
    assert TOLD.head(view_of(state), NAMES).split("   ")[2] == "trump ♠ (ann declared)"


@pytest.mark.parametrize(
    ("actions", "rest"),
    [
        ((), "upcard K♥"),
        (("pass", "pass"), "upcard K♥ turned down"),
        (("order",), "trump ♥ (you ordered up)   upcard K♥"),
        (("pass", "accept"), "trump ♥ (ann accepted)   upcard K♥"),
        (("pass", "pass", "name:C"), "trump ♣ (you named)   tricks 0 - 0"),
        (("order", "decline", "play:AC", "play:9C"), "trump ♥ (you ordered up)   tricks 1 - 0"),
    ],
)
def test_the_head_of_a_deal(actions: tuple[str, ...], rest: str) -> None:
    assert TOLD.head(view_of(at(*actions)), NAMES, first=1) == f"Deal 0   you 0 - 0 ann   {rest}"


@pytest.mark.parametrize(
    ("actions", "sees", "situation"),
    [
        ("", "hand Q♥ A♣ J♣ A♦ 9♦", "orders up or passes"),
        ("pass", "hand J♦ A♥ 10♣ 9♣ K♦", "accepts or passes"),
        ("order", "hand J♦ A♥ 10♣ 9♣ K♦", "picks up or declines"),
        ("pass accept", "hand J♦ A♥ K♥ 10♣ 9♣ K♦", "discards"),
        ("pass pass pass", "hand A♥ 10♣ 9♣ K♦ J♦", "names or passes as dealer"),
        ("pass pass", "hand Q♥ A♣ J♣ A♦ 9♦", "names or passes as non-dealer"),
        ("order decline", "hand Q♥ A♣ J♣ A♦ 9♦", "leads as maker"),
        ("order decline play:9D", "hand J♦ A♥ 10♣ 9♣ K♦   you led 9♦", "follows as defender"),
    ],
)
def test_what_a_seat_sees(actions: str, sees: str, situation: str) -> None:
    view = view_of(at(*actions.split()))
    assert (TOLD.sees(view, NAMES), TOLD.situation(view)) == (sees, situation)


def test_what_a_dealer_sees_who_may_not_look_yet() -> None:
    state = at(upcard="XX", options={"joker_upcard": "dealer_makes"})
    assert TOLD.sees(view_of(state), NAMES) == "hand unseen"
    assert TOLD.situation(view_of(state)) == "declares"


@pytest.mark.parametrize(
    ("actions", "reason"),
    [
        ("order decline play:9D", "♦ must be followed; the J♦ is a trump, the left bower"),
        ("order decline play:AC", "♣ must be followed"),
        ("order decline play:QH", "♥ must be followed; the J♦ is a trump, the left bower"),
        ("pass pass name:D play:9D", "♦ must be followed"),
        ("pass pass name:S play:JC", None),  # no spade held: anything goes
        ("pass pass pass name:S play:9D", "♦ must be followed"),
        ("pass accept discard:AH play:AC play:9C play:AD play:KD play:9D play:KH", None),
    ],
)
def test_why_only_some_cards_may_be_played(actions: str, reason: str | None) -> None:
    state = at(*actions.split())
    assert TOLD.forced(view_of(state), state.legal()) == reason


def test_a_left_bower_that_was_led_is_said_to_be_one() -> None:
    state = at("order", "decline", "play:AC", "play:9C", "play:9D", "play:KD", "play:JD")
    reason = "♥ must be followed; the J♦ is a trump, the left bower"
    assert TOLD.forced(view_of(state), state.legal()) == reason


def test_who_takes_a_trick() -> None:
    state = at("order", "decline", "play:9D")
    assert TOLD.taken_by(view_of(state), "play:KD") == 0
    assert TOLD.taken_by(view_of(at("order", "decline")), "play:9D") is None
    assert TOLD.taken_by(view_of(at("order", "decline", "play:AC")), "play:9C") == 1
    assert TOLD.taken_by(view_of(at()), "order") is None


@pytest.mark.parametrize(
    ("reason", "maker", "tricks", "points", "told"),
    [
        ("made", 0, [3, 2], [1, 0], "ann makes it, 3 - 2 tricks: 1 point for ann"),
        ("made", 1, [1, 4], [0, 1], "you make it, 4 - 1 tricks: 1 point for you"),
        ("march", 0, [5, 0], [2, 0], "ann marches, 5 - 0 tricks: 2 points for ann"),
        ("march", 1, [0, 5], [0, 2], "you march, 5 - 0 tricks: 2 points for you"),
        ("euchre", 0, [1, 4], [0, 2], "ann is euchred, 1 - 4 tricks: 2 points for you"),
        ("euchre", 1, [3, 2], [2, 0], "you are euchred, 2 - 3 tricks: 2 points for ann"),
        ("throw_in", None, [0, 0], [0, 0], "nobody makes trump: the deal is thrown in"),
        ("joker_redeal", None, [0, 0], [0, 0], "the joker is turned up: the cards are dealt again"),
    ],
)
def test_the_end_of_a_deal(
    reason: str, maker: int | None, tricks: list[int], points: list[int], told: str
) -> None:
    deal = {"reason": reason, "maker": maker, "tricks": tricks, "points": points}
    assert TOLD.ended(deal, NAMES) == told
