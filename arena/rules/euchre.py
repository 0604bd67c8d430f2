"""What every variant of Euchre shares: trumps and bowers, the cards of a deal, what a seat sees.

No variant's own calls, phases or points may live here. Clauses (2H-2.4) are those of the rules of
two-handed Euchre.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec

from arena.cards import JOKER, RANKS, SUITS, pack, shuffled
from arena.errors import ReplayError
from arena.rules.tricks import Ranking, beats, winner

HAND_SIZE = 5

Phase = Literal["joker_suit", "order", "pick_up", "discard", "name", "play"]
Suit = Literal["C", "D", "H", "S"]
Reason = Literal["made", "march", "euchre", "throw_in", "joker_redeal"]
"""How a deal ended."""

_SAME_COLOUR = {"C": "S", "S": "C", "D": "H", "H": "D"}
_TRUMPS_LOW_TO_HIGH = "789TQKA"
_ABOVE_PLAIN = 10
_LEFT, _RIGHT, _JOKER = 18, 19, 20


def _ranking(trump: str | None) -> Ranking:
    """Rank all cards of the largest pack (2H-2): plain suits 0-7, trumps from 10 up."""
    suit = {card: card[1] for card in pack(33)}
    strength = {card: RANKS.find(card[0]) for card in pack(33)}
    strength[JOKER] = _JOKER  # 2H-2.6: above all
    if trump is not None:
        for height, rank in enumerate(_TRUMPS_LOW_TO_HIGH):
            strength[rank + trump] = _ABOVE_PLAIN + height
        left = "J" + _SAME_COLOUR[trump]
        suit[left] = suit[JOKER] = trump  # 2H-2.4, 2H-2.6: for every purpose
        strength["J" + trump], strength[left] = _RIGHT, _LEFT
    return Ranking(trump, suit, strength)


RANKINGS: dict[str | None, Ranking] = {trump: _ranking(trump) for trump in (*SUITS, None)}
"""By trump suit; None is the time before trump is settled, when there are no bowers (2H-2.7)."""


class View(msgspec.Struct, frozen=True, gc=False):
    """What one seat may know at one moment: the `view` of a decision on the wire.

    Its methods answer what a bot asks all the time. Those with a `trump` judge as if that suit were
    trump, which is what a seat needs in the bidding; without it they go by the trump of the deal.
    """

    seat: int
    """Whose view this is."""
    phase: Phase
    deal: int
    """Number of the deal in the game, from 0."""
    dealer: int
    points: tuple[int, ...]
    """Points of the game by seat."""
    target: int
    """Points that win the game."""
    hand: tuple[str, ...]
    """Cards held: six in the phase `discard`, none in `joker_suit`."""
    upcard: str
    """The card turned up, also after it was picked up or turned down."""
    proposed: str | None
    """The suit the upcard proposes; None while a joker waits for its suit."""
    trump: str | None
    maker: int | None
    """The seat that made trump."""
    turned_down: bool
    """All passed on the proposed suit."""
    throw_ins: int
    """Deals thrown in in a row up to this one."""
    trick: tuple[tuple[int, str], ...]
    """(Seat, card) of the cards in the current trick, in order."""
    tricks: tuple[int, ...]
    """Tricks taken in this deal, by seat."""
    history: tuple[tuple[int, str], ...]
    """(Seat, action) of this deal; another seat's discard is ``discard`` without its card."""

    def effective_suit(self, card: str, trump: str | None = None) -> str:
        """Return the suit `card` belongs to: trumps for the left bower and the joker (2H-2.4).

        Before trump is settled it is the printed suit; a joker has none then (``X``).
        """
        return RANKINGS[trump or self.trump].suit[card]

    def is_trump(self, card: str, trump: str | None = None) -> bool:
        """Tell whether `card` is a trump, bowers and joker included; False before trump is made."""
        ranking = RANKINGS[trump or self.trump]
        return ranking.suit[card] == ranking.trump

    def strength(self, card: str, trump: str | None = None) -> int:
        """Return how high `card` is: the higher wins within a suit, any trump beats the rest.

        Plain cards are 0 (seven) to 7 (ace), trumps 10 (seven) to 16 (ace), left bower 18, right
        bower 19, joker 20.
        """
        return RANKINGS[trump or self.trump].strength[card]

    def winning_seat(self) -> int | None:
        """Return the seat whose card is winning the trick so far; None if nothing was led."""
        if not self.trick:
            return None
        cards = [card for _, card in self.trick]
        return self.trick[winner(cards, RANKINGS[self.trump])][0]

    def would_win(self, card: str) -> bool:
        """Tell whether `card`, played now, would be winning the trick (a lead always is)."""
        holder = self.winning_seat()
        return holder is None or beats(card, dict(self.trick)[holder], RANKINGS[self.trump])


class Cards(msgspec.Struct, frozen=True, gc=False):
    """The cards of one deal as they were dealt."""

    hands: tuple[tuple[str, ...], ...]
    """By seat."""
    upcard: str
    stock: tuple[str, ...]


class SeededCards(msgspec.Struct, frozen=True):
    """The cards of a board: every deal follows from the board's seed."""

    deck_size: int
    seats: int
    board_seed: bytes

    def of(self, number: int) -> Cards:
        """Return the cards of deal `number`: five to seat 0, five to the next..., the upcard."""
        cards = shuffled(pack(self.deck_size), self.board_seed, number)
        dealt = self.seats * HAND_SIZE
        hands = tuple([cards[at : at + HAND_SIZE] for at in range(0, dealt, HAND_SIZE)])
        return Cards(hands, cards[dealt], cards[dealt + 1 :])


class GivenCards(msgspec.Struct, frozen=True):
    """The cards of some deals, given one by one."""

    deals: tuple[Cards, ...]

    @classmethod
    def read(cls, deals: Sequence[Mapping[str, Any]], deck_size: int, seats: int) -> GivenCards:
        """Take the cards out of a record's deals.

        Raises `ReplayError` with the number of the first deal whose cards are not `seats` hands of
        five, an upcard and a stock that together are exactly the pack.
        """
        return cls(tuple(_read_cards(deals[k], k, deck_size, seats) for k in range(len(deals))))

    def of(self, number: int) -> Cards | None:
        """Return the cards of deal `number`, None if there is no such deal."""
        return self.deals[number] if number < len(self.deals) else None


def _read_cards(deal: Mapping[str, Any], number: int, deck_size: int, seats: int) -> Cards:
    try:
        cards = msgspec.convert(deal, Cards)
    except msgspec.ValidationError as error:
        raise ReplayError(f"its cards cannot be read: {error}", deal=number) from error
    if [len(hand) for hand in cards.hands] != [HAND_SIZE] * seats:
        raise ReplayError(f"not {seats} hands of {HAND_SIZE} cards", deal=number)
    together = [*(card for hand in cards.hands for card in hand), cards.upcard, *cards.stock]
    if sorted(together) != sorted(pack(deck_size)):
        raise ReplayError(f"its cards are not the pack of {deck_size} cards", deal=number)
    return cards
