"""Trumps and bowers, the cards of a deal, and what a view answers."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from playing import dealt, random_deal

from arena.cards import pack
from arena.errors import ReplayError
from arena.rules.euchre import RANKINGS, Cards, GivenCards, SeededCards, View

HANDS = (["9C", "TC", "JS", "AH", "KD"], ["JC", "AC", "9S", "QH", "AD"])
VIEW = View(
    seat=1,
    phase="play",
    deal=0,
    dealer=0,
    points=(0, 0),
    target=10,
    hand=("AC", "9S", "QH", "AD"),
    upcard="QC",
    proposed="C",
    trump="C",
    maker=1,
    turned_down=False,
    throw_ins=0,
    trick=(),
    tricks=(0, 0),
    history=(),
)
BIDDING = msgspec.structs.replace(VIEW, phase="order", trump=None, maker=None)


@pytest.mark.parametrize(
    ("trump", "high_to_low"),
    [
        ("C", "XX JC JS AC KC QC TC 9C 8C 7C"),
        ("D", "XX JD JH AD KD QD TD 9D 8D 7D"),
        ("H", "XX JH JD AH KH QH TH 9H 8H 7H"),
        ("S", "XX JS JC AS KS QS TS 9S 8S 7S"),
    ],
)
def test_trumps_rank_joker_bowers_ace_down(trump: str, high_to_low: str) -> None:
    """2H-2.2 to 2H-2.4, 2H-2.6."""
    ranking = RANKINGS[trump]
    trumps = [card for card in pack(33) if ranking.suit[card] == trump]
    assert sorted(trumps, key=ranking.strength.__getitem__, reverse=True) == high_to_low.split()
    plain = set(pack(33)) - set(trumps)
    assert max(ranking.strength[c] for c in plain) < min(ranking.strength[c] for c in trumps)


@pytest.mark.parametrize("trump", ["C", "D", "H", "S", None])
def test_plain_suits_rank_ace_down_with_the_jack_in_its_place(trump: str | None) -> None:
    """2H-2.1, 2H-2.5; without trump there are no bowers (2H-2.7)."""
    ranking = RANKINGS[trump]
    left = {"C": "JS", "S": "JC", "D": "JH", "H": "JD", None: ""}[trump]
    for suit in set("CDHS") - {trump}:
        expected = [r + suit for r in "AKQJT987" if r + suit != left]
        cards = [card for card in pack(33) if ranking.suit[card] == suit]
        assert sorted(cards, key=ranking.strength.__getitem__, reverse=True) == expected


def test_a_view_knows_trumps() -> None:
    assert VIEW.effective_suit("JS") == "C"
    assert VIEW.effective_suit("XX") == "C"
    assert VIEW.effective_suit("JH") == "H"
    assert [c for c in ("JS", "XX", "9C", "9S") if VIEW.is_trump(c)] == ["JS", "XX", "9C"]
    assert [VIEW.strength(card) for card in ("7D", "AD", "7C", "AC", "JS", "JC", "XX")] == [
        *(0, 7),
        *(10, 16, 18, 19, 20),
    ]


def test_a_view_judges_as_if_a_suit_were_trump() -> None:
    assert not any(BIDDING.is_trump(card) for card in pack(33))
    assert BIDDING.effective_suit("JS") == "S"
    assert BIDDING.effective_suit("XX") == "X"
    assert BIDDING.effective_suit("JS", trump="C") == "C"
    assert BIDDING.is_trump("JD", trump="H")
    assert BIDDING.strength("JD", trump="H") == 18
    assert BIDDING.strength("JD") == 4
    assert VIEW.effective_suit("JC", trump="S") == "S"


def test_a_view_knows_who_is_winning_and_what_would() -> None:
    assert VIEW.winning_seat() is None
    assert VIEW.would_win("9S")
    led = msgspec.structs.replace(VIEW, trick=((0, "KD"),))
    assert led.winning_seat() == 0
    assert [card for card in led.hand if led.would_win(card)] == ["AC", "AD"]
    full = msgspec.structs.replace(VIEW, trick=((0, "AC"), (1, "JS")))
    assert full.winning_seat() == 1
    assert not full.would_win("AC")
    assert full.would_win("JC")


@pytest.mark.parametrize(("size", "stock"), [(24, 13), (25, 14), (32, 21), (33, 22)])
@pytest.mark.parametrize("seats", [2, 4])
def test_five_cards_a_seat_then_the_upcard_then_the_stock(
    size: int, stock: int, seats: int
) -> None:
    """2H-3.2."""
    cards = SeededCards(size, seats, b"seed").of(3)
    assert [len(hand) for hand in cards.hands] == [5] * seats
    assert len(cards.stock) == stock - 5 * (seats - 2)
    together = [*(card for hand in cards.hands for card in hand), cards.upcard, *cards.stock]
    assert sorted(together) == sorted(pack(size))
    assert cards != SeededCards(size, seats, b"seed").of(4)


def test_given_cards_come_in_order_and_run_out() -> None:
    source = GivenCards.read([random_deal(1, 24), dealt(HANDS, "QC", note="ignored")], 24, 2)
    assert source.of(1) == Cards(
        (tuple(HANDS[0]), tuple(HANDS[1])), "QC", tuple(dealt(HANDS, "QC")["stock"])
    )
    assert source.of(2) is None


RIGHT = dealt(HANDS, "QC")


@pytest.mark.parametrize(
    "spoiled",
    [
        {**RIGHT, "upcard": "XX"},
        {**RIGHT, "upcard": "9C"},
        {**RIGHT, "upcard": None},
        {**RIGHT, "stock": RIGHT["stock"][1:]},
        {**RIGHT, "stock": [*RIGHT["stock"], "7C"]},
        {**RIGHT, "stock": [*RIGHT["stock"], "KC"]},
        {**RIGHT, "stock": "KC9D"},
        {**RIGHT, "hands": [HANDS[0]]},
        {**RIGHT, "hands": [[*HANDS[0], "QC"], HANDS[1]], "upcard": RIGHT["stock"][0]},
        {**RIGHT, "hands": [HANDS[0][:4], [*HANDS[1], HANDS[0][4]]]},
        {**RIGHT, "hands": [HANDS[0], [*HANDS[1][:4], 7]]},
        {"hands": HANDS, "upcard": "QC"},
        {},
        None,
    ],
)
def test_cards_that_are_not_the_pack_are_refused_by_deal(spoiled: Any) -> None:
    with pytest.raises(ReplayError, match=r"^its cards |^not 2 hands ") as refusal:
        GivenCards.read([RIGHT, spoiled, {}], 24, 2)
    assert refusal.value.deal == 1
