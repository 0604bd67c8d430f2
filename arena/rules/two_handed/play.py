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

from functools import cache, lru_cache
from typing import Any, ClassVar, Self

import msgspec

from arena.cards import pack
from arena.rules.base import Place
from arena.rules.euchre import RANKINGS, Phase, Reason, View
from arena.rules.race import Standing, illegal
from arena.rules.tricks import beats
from arena.rules.two_handed.scoring import is_decided, score
from arena.rules.two_handed.settled import Hand, History, Settled

_PLAYS = tuple(sorted(f"play:{card}" for card in pack(33)))
_BITS = {play[5:]: 1 << place for place, play in enumerate(_PLAYS)}
"""A set of cards is a number with these bits: lowest first, their actions are sorted."""

_KNOWN_HANDS = 2**16
"""So many legal tuples are kept: those of all hands of a pack of 24."""


class Play(msgspec.Struct, frozen=True, gc=False):
    """A deal from its first lead to its end."""

    settled: Settled
    trumps: _Trumps
    to_act: int | None
    """The seat to act; None when the deal is finished."""
    legal: tuple[str, ...]
    """What that seat may do, sorted; empty when the deal is finished."""
    turn: int
    """The seat to act; when the deal is finished, the one that acted last."""
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
    reason: Reason | None = None
    """How the deal ended; None before."""
    points: tuple[int, int] = (0, 0)
    """What each seat scored in this deal."""

    phase: ClassVar[Phase] = "play"

    @classmethod
    def begin(cls, settled: Settled, hands: tuple[Hand, ...]) -> Self:
        """Ask the non-dealer to lead any card (2H-6.1)."""
        leader = 1 - settled.dealer
        hand, other = hands[leader], hands[settled.dealer]
        held, other_held = _bits(hand), _bits(other)
        trumps = _trumps(settled.trump)
        return cls(settled, trumps, leader, _legal(held), leader, hand, held, other, other_held)

    @property
    def dealer(self) -> int:
        """The seat that dealt."""
        return self.settled.dealer

    def apply(self, action: str) -> Play:
        """Return the deal after `action`; raises `IllegalActionError` if it is not legal."""
        if action not in self.legal:
            raise illegal(action, self.legal)
        return self._answer(action) if self.trick else self._lead(action)

    def _lead(self, action: str) -> Play:
        """Lead a card; the other must follow its suit or, without it, plays any (2H-6.3)."""
        seat = self.turn
        card, bit, entry, trick = _MEANINGS[seat][action]
        hand = [*self.hand]
        hand.remove(card)
        other, other_held = self.other_hand, self.other_held
        return Play(
            self.settled,
            self.trumps,
            1 - seat,
            _legal(other_held & self.trumps.followers[card] or other_held),
            1 - seat,
            other,
            other_held,
            tuple(hand),
            self.held ^ bit,
            trick,
            self.tricks,
            (*self.plays, entry),
        )

    def _answer(self, action: str) -> Play:
        """Answer the lead; the winner of the trick leads the next (2H-6)."""
        seat = self.turn
        card, bit, entry, _ = _MEANINGS[seat][action]
        left = [*self.hand]
        left.remove(card)
        hand, held = tuple(left), self.held ^ bit
        other, other_held = self.other_hand, self.other_held
        settled, trumps = self.settled, self.trumps
        plays = (*self.plays, entry)
        won = bit & trumps.winners[self.trick[0][1]]
        mine, others = self.tricks
        tricks = (mine + 1, others) if bool(won) == (seat == 0) else (mine, others + 1)
        if not hand or (not settled.options.play_out and is_decided(settled.maker, tricks)):
            reason, points = score(settled.maker, tricks, settled.options)
            return Play(
                settled,
                trumps,
                None,
                (),
                seat,
                hand,
                held,
                other,
                other_held,
                tricks=tricks,
                plays=plays,
                reason=reason,
                points=points,
            )
        if not won:
            seat, hand, held, other, other_held = 1 - seat, other, other_held, hand, held
        return Play(
            settled,
            trumps,
            seat,
            _legal(held),
            seat,
            hand,
            held,
            other,
            other_held,
            (),
            tricks,
            plays,
        )

    def view(self, seat: int, number: int, standing: Standing) -> View:
        """Return what `seat` may know of the deal `number` of a game that stands so."""
        hand = self.hand if seat == self.turn else self.other_hand
        return self.settled.view(
            seat, number, standing, "play", hand, self.trick, self.tricks, self.plays
        )

    def record(self) -> dict[str, Any]:
        """Return the deal as a record shows it."""
        return self.settled.record(self.reason, self.plays, self.tricks, self.points)

    def places(self) -> tuple[Place, ...]:
        """Return where each card is."""
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
    return sum([_BITS[card] for card in hand])


@lru_cache(_KNOWN_HANDS)
def _legal(cards: int) -> tuple[str, ...]:
    """Return the actions that play `cards`, sorted."""
    return tuple(play for play in _PLAYS if cards & _BITS[play[5:]])


def _meanings(seat: int) -> dict[str, tuple[str, int, tuple[int, str], tuple[tuple[int, str]]]]:
    """Return for each play by `seat` its card, the card's bit, its place in history and trick."""
    return {play: (play[5:], _BITS[play[5:]], (seat, play), ((seat, play[5:]),)) for play in _PLAYS}


_MEANINGS = (_meanings(0), _meanings(1))
