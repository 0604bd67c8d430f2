"""The five tricks of a deal of two-handed Euchre: the fast part of the rules (2H-6).

Ten of some thirteen actions of a deal are cards played, so every step of theirs is written for
speed. What takes long to find is found once, in tables: what an action means, which cards follow a
card led or beat it, and what may be played from a hand. Hands are kept twice, as cards in the order
in which they are shown and as a number with a bit for each card, which is what those tables are
asked with. A step makes one new value and nothing else; the cards of the seat on turn stand first
in it, so that nothing has to be picked by seat.

The same rules in their plain form are in `tests/rules/plain_deal.py`; both are played against each
other on random deals.
"""

from __future__ import annotations

from functools import cache
from typing import Any, ClassVar, Self

from msgspec.structs import replace

from arena.cards import pack
from arena.rules.base import Place
from arena.rules.euchre import RANKINGS, Phase, View
from arena.rules.race import Deal, Race, going_on
from arena.rules.tricks import beats
from arena.rules.two_handed.scoring import is_decided, score
from arena.rules.two_handed.settled import Ended, Hand, History, Settled

_PLAYS = {card: f"play:{card}" for card in sorted(pack(33))}
_BITS = {card: 1 << place for place, card in enumerate(_PLAYS)}
"""A set of cards is a number with these bits; their actions are sorted as the bits are."""
_LOW = sum(bit for card, bit in _BITS.items() if card[0] in "789AJ")
_HIGH = sum(_BITS.values()) - _LOW
"""Two halves of the pack: a hand has few cards of each, so their sets are not too many to keep."""


class Play(Deal, frozen=True, gc=False):
    """A deal from its first lead to its end."""

    settled: Settled
    trumps: _Trumps
    turn: int
    """The seat to act; when the deal is finished, the winner of its last trick."""
    hand: Hand
    """The cards of this seat..."""
    held: int
    """...and their bits."""
    other_hand: Hand
    other_held: int
    trick: tuple[tuple[int, str], ...] = ()
    """(Seat, card) of the lead, when it is to be answered."""
    tricks: tuple[int, int] = (0, 0)
    """Tricks taken by seat."""
    plays: History = ()

    phase: ClassVar[Phase] = "play"

    @classmethod
    def begin(cls, race: Race, settled: Settled, hands: tuple[Hand, ...]) -> Self:
        """Ask the non-dealer to lead any card (2H-6.1)."""
        seat = 1 - settled.dealer
        hand, other = hands[seat], hands[settled.dealer]
        held, other_held = _bits(hand), _bits(other)
        trumps = _trumps(settled.trump)
        return cls(
            race, seat, _plays_of_hand(held), settled, trumps, seat, hand, held, other, other_held
        )

    def apply(self, action: str) -> Deal:
        """Return the state after `action`; raises `IllegalActionError` if it is not legal."""
        if action not in self.choices:
            raise self.refusal(action)
        return self._answer(action) if self.trick else self._lead(action)

    def _lead(self, action: str) -> Play:
        """Lead a card; the other must follow its suit or, without it, plays any (2H-6)."""
        seat = self.turn
        card, bit, entry, trick = _MEANINGS[seat][action]
        left = [*self.hand]
        left.remove(card)
        settled, trumps = self.settled, self.trumps
        other, other_held = self.other_hand, self.other_held
        follow = other_held & trumps.followers[card]
        choices = _plays_of(follow) if follow else _plays_of_hand(other_held)
        return Play(
            self.race,
            1 - seat,
            choices,
            settled,
            trumps,
            1 - seat,
            other,
            other_held,
            tuple(left),
            self.held ^ bit,
            trick,
            self.tricks,
            self.plays + entry,
        )

    def _answer(self, action: str) -> Deal:
        """Answer the lead; the winner of the trick leads the next (2H-6)."""
        seat = self.turn
        card, bit, entry, _ = _MEANINGS[seat][action]
        left = [*self.hand]
        left.remove(card)
        hand, held = tuple(left), self.held ^ bit
        other, other_held = self.other_hand, self.other_held
        settled, trumps = self.settled, self.trumps
        if not bit & trumps.winners[self.trick[0][1]]:
            seat, hand, held, other, other_held = 1 - seat, other, other_held, hand, held
        zero, one = self.tricks
        tricks = (zero, one + 1) if seat else (zero + 1, one)
        deal = Play(
            self.race,
            seat,
            _plays_of_hand(held),
            settled,
            trumps,
            seat,
            hand,
            held,
            other,
            other_held,
            (),
            tricks,
            self.plays + entry,
        )
        if not hand or (not settled.options.play_out and is_decided(settled.maker, tricks)):
            return going_on(replace(deal, to_act=None, choices=()))
        return deal

    def view(self, seat: int) -> View:
        """Return what `seat` may know now."""
        hand = self.hand if seat == self.turn else self.other_hand
        return self.settled.view(seat, self.race, "play", hand, self.trick, self.tricks, self.plays)

    def record(self) -> dict[str, Any]:
        """Return the deal as a record shows it while it is not finished."""
        return self.settled.record(self.plays)

    def ended(self) -> Ended:
        """Return what is kept of the deal when it is finished."""
        settled = self.settled
        reason, points = score(settled.maker, self.tricks, settled.options)
        return Ended(settled, reason, points, self.tricks, self.plays)

    def places(self) -> tuple[Place, ...]:
        """Return where each card of the pack is."""
        hands = self.hand, self.other_hand
        return self.settled.places(hands if self.turn == 0 else hands[::-1], self.plays)


class _Trumps:
    """What may be known beforehand under one trump suit, by the card led."""

    def __init__(self, trump: str | None) -> None:
        ranking = RANKINGS[trump]
        suit = ranking.suit
        self.followers = {
            led: sum(bit for card, bit in _BITS.items() if suit[card] == suit[led]) for led in _BITS
        }
        """The cards of its suit."""
        self.winners = {
            led: sum(bit for card, bit in _BITS.items() if beats(card, led, ranking))
            for led in _BITS
        }
        """The cards that beat it."""


_trumps = cache(_Trumps)


def _bits(hand: Hand) -> int:
    one, two, three, four, five = hand
    bits = _BITS
    return bits[one] | bits[two] | bits[three] | bits[four] | bits[five]


def _plays_of_hand(held: int) -> tuple[str, ...]:
    """Return the actions that play any card of a hand, sorted."""
    return _plays_of(held & _LOW) + _plays_of(held & _HIGH)


@cache
def _plays_of(cards: int) -> tuple[str, ...]:
    """Return the actions that play `cards`, sorted."""
    return tuple([_PLAYS[card] for card, bit in _BITS.items() if cards & bit])


def _meanings(seat: int) -> dict[str, tuple[str, int, History, History]]:
    """Return for each play by `seat` its card, the card's bit, history and trick of it alone."""
    return {
        play: (card, _BITS[card], ((seat, play),), ((seat, card),)) for card, play in _PLAYS.items()
    }


_MEANINGS = (_meanings(0), _meanings(1))
