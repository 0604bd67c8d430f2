"""What the other seat may hold: hands drawn at random that agree with all that was seen.

Seen are its own cards, the cards played, suits the other could not follow, and whether the dealer
took the upcard. Less sure, but telling, is what the other called: each world may be weighted by how
likely these calls were with the hand it had.
"""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from calls import Bidding, likelihood

from arena.sdk import View

HAND_SIZE = 5


class World(NamedTuple):
    """One possibility."""

    other: tuple[str, ...]
    """The cards the other seat holds now."""
    weight: float


class Seen:
    """What a view says about the cards of the other seat."""

    def __init__(self, view: View, deck: Sequence[str], bidding: Bidding) -> None:
        """Read the history of the deal."""
        self._bidding = bidding
        self._dealing = view.dealer != view.seat
        self._calls: list[str] = []
        self._played: list[str] = []
        discarded = False
        gone, void, led = {*view.hand, view.upcard}, set[str](), ""
        for seat, action in view.history:
            verb, _, card = action.partition(":")
            other = seat != view.seat
            if verb == "play":
                gone.add(card)
                if other:
                    self._played.append(card)
                    if led and view.effective_suit(card) != view.effective_suit(led):
                        void.add(view.effective_suit(led))
                led = "" if led else card
            elif verb == "discard":
                gone.add(card)
                discarded = other
            elif other:
                self._calls.append(action)
        self._pool = [card for card in deck if card not in gone]
        self._holdable = [card for card in self._pool if view.effective_suit(card) not in void]
        # With an option the upcard may be the discard, but hardly ever is: a void shows it at last.
        taken = discarded and view.upcard not in self._played
        laid_away = taken and view.effective_suit(view.upcard) in void
        self._surely = (view.upcard,) if taken and not laid_away else ()
        self._hides_discard = discarded and not laid_away
        self._number = HAND_SIZE - len(self._played) - len(self._surely)
        self._pile: list[str] = []

    def draw(self, dice: Random, *, weighted: bool) -> World:
        """Return what the other seat may hold, with weight 1 unless `weighted` by its calls.

        Hands are dealt from one pile until it is used up: a few of them then show more of the cards
        than as many that are drawn without regard to each other.
        """
        if len(self._pile) < self._number:
            self._pile = dice.sample(self._holdable, len(self._holdable))
        drawn, self._pile = self._pile[: self._number], self._pile[self._number :]
        other = (*self._surely, *drawn)
        if not weighted:
            return World(other, 1.0)
        laid_away = None
        dealt = [card for card in (*drawn, *self._played) if card != self._bidding.upcard]
        if self._hides_discard:
            laid_away = dice.choice([card for card in self._pool if card not in drawn])
            dealt.append(laid_away)
        return World(
            other,
            likelihood(self._calls, dealt, laid_away, self._bidding, dealing=self._dealing),
        )
