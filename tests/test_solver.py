"""The solver of bots/monte_carlo finds what trying everything finds."""

from __future__ import annotations

from random import Random

import pytest
from solver import Memo, solver

from arena.cards import SUITS, pack
from arena.rules.euchre import RANKINGS
from arena.rules.tricks import Ranking, beats, following

Hand = tuple[str, ...]
Found = dict[tuple[Hand, Hand], int]


def without(hand: Hand, card: str) -> Hand:
    return tuple(held for held in hand if held != card)


def by_trying(mine: Hand, other: Hand, ranking: Ranking, found: Found) -> int:
    """The most tricks of the leader, by playing every card that the rules allow."""
    if not mine:
        return 0
    if (mine, other) not in found:
        found[mine, other] = max(
            min(
                after_trick(without(mine, led), without(other, answer), ranking, found)
                if beats(answer, led, ranking)
                else 1 + by_trying(without(mine, led), without(other, answer), ranking, found)
                for answer in following(other, led, ranking)
            )
            for led in mine
        )
    return found[mine, other]


def after_trick(mine: Hand, other: Hand, ranking: Ranking, found: Found) -> int:
    """The most tricks of the seat that does not lead."""
    return len(mine) - by_trying(other, mine, ranking, found)


def dealt(dice: Random, deck: int, left: int) -> tuple[Hand, Hand]:
    cards = dice.sample(pack(deck), 2 * left)
    return tuple(cards[:left]), tuple(cards[left:])


def few_suits(dice: Random, left: int) -> tuple[Hand, Hand]:
    """Two hands of two suits: what to keep and when to win matters more in them."""
    suits = dice.sample(SUITS, 2)
    cards = dice.sample([card for card in pack(24) if card[1] in suits], 2 * left)
    return tuple(cards[:left]), tuple(cards[left:])


def agrees(mine: Hand, other: Hand, trump: str) -> bool:
    tool, ranking, found = solver(trump), RANKINGS[trump], Found()
    left = len(mine)
    most = by_trying(mine, other, ranking, found)
    least = after_trick(mine, other, ranking, found)
    a, b = tool.bits(mine), tool.bits(other)
    memo: Memo = {}
    return all(
        tool.reaches(a, b, left, need, memo, leading=True) == (most >= need)
        and tool.reaches(a, b, left, need, memo, leading=False) == (least >= need)
        for need in range(left + 2)
    )


@pytest.mark.parametrize("deck", [24, 25, 32, 33])
def test_random_deals(deck: int) -> None:
    dice = Random(deck)
    for left, deals in ((1, 50), (2, 400), (3, 600), (4, 300), (5, 40)):
        for _ in range(deals):
            mine, other = dealt(dice, deck, left)
            assert agrees(mine, other, dice.choice(SUITS)), (mine, other)


def test_hands_of_two_suits() -> None:
    dice = Random(1)
    for left, deals in ((3, 300), (4, 150), (5, 30)):
        for _ in range(deals):
            mine, other = few_suits(dice, left)
            for trump in SUITS:
                assert agrees(mine, other, trump), (mine, other, trump)


@pytest.mark.parametrize(
    ("mine", "other", "most"),
    [
        (("JC", "9H"), ("JS", "AH"), 1),  # the left bower is a trump
        (("XX", "9D"), ("JC", "TD"), 1),  # the joker is the highest
        (("AD", "KD"), ("9H", "9C"), 0),  # who has none of the suit may ruff
        (("AD", "9H"), ("9C", "9D"), 1),  # and who has some must follow
        (("KD", "9D"), ("AD", "9H"), 0),  # a card of a suit that nobody follows wins
        (("KD", "9H"), ("AD", "TH"), 0),
        (("AC", "9C", "9D"), ("JC", "TC", "TD"), 1),  # by getting rid of the lead
        (("JC", "9C", "AD"), ("AC", "KC", "9H"), 2),
    ],
)
def test_small_endings(mine: Hand, other: Hand, most: int) -> None:
    tool = solver("C")
    a, b = tool.bits(mine), tool.bits(other)
    needs = range(1, len(mine) + 1)
    assert sum(tool.takes(a, b, len(mine), need, {}) for need in needs) == most
    assert by_trying(mine, other, RANKINGS["C"], {}) == most
