"""Whether a seat can take so many tricks when both hands lie open and nobody errs.

A set of cards is a number with a bit for each card. The bits of a suit, bowers in their place,
stand side by side from low to high with an empty one above them, so that following suit, beating a
card and finding the next higher one are a few operations on numbers. Four thoughts keep it quick:

- it asks whether three tricks can be had, then five, and not how many: one good answer is enough;
- cards of a hand with none of the other hand's between them are one and the same to lead;
- whoever wins a trick as second does so with the lowest card that wins, and loses it with the
  lowest of a suit: a higher card of the same suit is never worth less later;
- a position met again in another order of tricks is looked up.
"""

from collections.abc import Iterable
from functools import cache

SUITS = "CDHS"
SAME_COLOUR = {"C": "S", "S": "C", "D": "H", "H": "D"}

Memo = dict[tuple[int, int, int], bool]
"""What `Solver.takes` has found, by cards of the leader, of the other, and the tricks needed."""


def low_to_high(suit: str, trump: str) -> list[str]:
    """Return all cards that belong to a suit, those of the largest pack."""
    left = "J" + SAME_COLOUR[trump]
    if suit == trump:
        return [*(rank + trump for rank in "789TQKA"), left, "J" + trump, "XX"]
    return [rank + suit for rank in "789TJQKA" if rank + suit != left]


class Solver:
    """All positions under one trump suit."""

    def __init__(self, trump: str) -> None:
        """Give every card its bit; trumps come first, because leading them often decides."""
        self.bit: dict[str, int] = {}
        self.suit_of: dict[int, int] = {}
        """By a card's bit: all cards of its suit."""
        self.beaters: dict[int, int] = {}
        """By a card's bit: all cards that win if it is led."""
        self._ends = 0
        """The empty bits above the suits."""
        suits: list[int] = []
        place = 0
        for suit in (trump, *SUITS.replace(trump, "")):
            cards = low_to_high(suit, trump)
            bits = [1 << place + height for height in range(len(cards))]
            self.bit.update(zip(cards, bits, strict=True))
            suits.append(sum(bits))
            for bit in bits:
                self.suit_of[bit] = suits[-1]
                higher = sum(other for other in bits if other > bit)
                self.beaters[bit] = higher if suit == trump else higher | suits[0]
            place += len(cards)
            self._ends |= 1 << place
            place += 1
        self._trumps, *self._plain = suits

    def bits(self, cards: Iterable[str]) -> int:
        """Return a set of cards as a number."""
        bit = self.bit
        return sum([bit[card] for card in cards])

    def reaches(
        self, mine: int, other: int, left: int, need: int, memo: Memo, *, leading: bool
    ) -> bool:
        """Tell whether who holds `mine`, `leading` or not, takes `need` of the `left` tricks.

        `left` is how many cards each holds; `memo` a dictionary that may be used for many
        positions under this trump suit.
        """
        if need <= 0 or need > left:
            return need <= 0
        if leading:
            return self.takes(mine, other, left, need, memo)
        return not self.takes(other, mine, left, left - need + 1, memo)

    def reaches_leading(
        self, mine: int, other: int, card: int, left: int, need: int, memo: Memo
    ) -> bool:
        """Tell the same of who leads `card`, with `mine` in hand and `left` tricks to follow."""
        if need <= 0 or need > left + 1:
            return need <= 0
        return self.takes_leading(mine, other, card, left, need, memo)

    def takes(self, mine: int, other: int, left: int, need: int, memo: Memo) -> bool:
        """Tell whether who leads from `mine` takes `need` tricks, from 1 to `left`."""
        if left == 1:
            return not other & self.beaters[mine]
        key = mine, other, need
        known = memo.get(key)
        if known is None:
            barriers, rest, known = other | self._ends, mine, False
            while rest and not known:
                card = rest & -rest
                barrier = barriers & -card
                rest &= -(barrier & -barrier)
                known = self.takes_leading(mine ^ card, other, card, left - 1, need, memo)
            memo[key] = known
        return known

    def takes_leading(
        self, mine: int, other: int, card: int, left: int, need: int, memo: Memo
    ) -> bool:
        """Tell the same of who leads `card`; `need` is from 1 to `left` + 1."""
        follow = other & self.suit_of[card]
        winners = follow & -card if follow else other & self._trumps
        if winners:
            if need > left:
                return False
            winner = winners & -winners
            if self.takes(other ^ winner, mine, left, left - need + 1, memo):
                return False
        if need == 1:
            return True
        if follow:
            loser = follow & -follow
            return loser > card or self.takes(mine, other ^ loser, left, need - 1, memo)
        for suit in self._plain:
            held = other & suit
            if held and not self.takes(mine, other ^ (held & -held), left, need - 1, memo):
                return False
        return True


@cache
def solver(trump: str) -> Solver:
    """Return the solver of a trump suit."""
    return Solver(trump)
