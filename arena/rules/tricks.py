"""Taking tricks, whatever the game: what may be played to a lead, and who wins.

Which suit a card belongs to and how high it is, is the game's business: it comes in a `Ranking`.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec


class Ranking(msgspec.Struct, frozen=True):
    """The suit and the height of every card under one trump suit (None: no trump)."""

    trump: str | None
    suit: dict[str, str]
    """The suit each card belongs to, which need not be the one printed on it."""
    strength: dict[str, int]
    """The higher wins within a suit; every trump is higher than every other card."""


def following(hand: Sequence[str], led: str | None, ranking: Ranking) -> Sequence[str]:
    """Return the cards of `hand` that may be played when the card `led` was led (None: lead).

    The suit led must be followed if possible; otherwise any card goes.
    """
    if led is None:
        return hand
    suit = ranking.suit
    wanted = suit[led]
    return [card for card in hand if suit[card] == wanted] or hand


def winner(cards: Sequence[str], ranking: Ranking) -> int:
    """Return the place (from 0) of the winning card among `cards`, given in the order played.

    The highest trump wins; without trump, the highest card of the suit led.
    """
    best = 0
    for place in range(1, len(cards)):
        if beats(cards[place], cards[best], ranking):
            best = place
    return best


def beats(card: str, other: str, ranking: Ranking) -> bool:
    """Tell whether `card` beats the `other`, which was winning the trick before it."""
    if ranking.strength[card] <= ranking.strength[other]:
        return False
    suit = ranking.suit[card]
    return suit in (ranking.suit[other], ranking.trump)
