"""What a hand is worth, and what a seat is likely to call on it: a model of the other seat.

A hand is worth about as many tricks as its cards are; the better it is, the likelier a call. The
numbers are those of bots/tuned_bot.py, where hard limits stand in place of chances.
"""

from collections.abc import Sequence
from functools import cache
from math import exp
from typing import NamedTuple

from solver import SUITS, low_to_high

TRUMP_WORTH = {"X": 1.7, "J": 1.5, "A": 1.1, "K": 0.9}
LEFT_BOWER_WORTH = 1.2
LOW_TRUMP_WORTH = 0.7
SIDE_WORTH = {"A": 0.6, "K": 0.3}
HEIGHT = "789TJQKAX"
TRUMPS = {suit: frozenset(low_to_high(suit, suit)) for suit in SUITS}

ORDER_AT, ACCEPT_AT, NAME_AT = 3.7, 2.1, 1.8
SOFTNESS = 0.35
"""By how much a hand must be better so that the odds of a call are 2.7 times as good."""
ODD_DISCARD = 0.2
"""Weight of a discard that is not the one expected."""
LEAST_LIKELY = 0.02
"""Nothing is held to be impossible: not everybody calls alike."""


class Bidding(NamedTuple):
    """What seats make their calls by, beside their hands."""

    upcard: str
    proposed: str
    suits: str
    """Those that may be named."""
    stuck: bool
    """Whether the dealer has to name one."""


@cache
def card_worths(trump: str) -> dict[str, float]:
    """Return what each card adds to a hand, in tricks."""
    worths = {
        card: SIDE_WORTH.get(card[0], 0.0)
        for suit in SUITS.replace(trump, "")
        for card in low_to_high(suit, trump)
    }
    for card in low_to_high(trump, trump):
        worths[card] = TRUMP_WORTH.get(card[0], LOW_TRUMP_WORTH)
        if card[0] == "J" and card[1] != trump:
            worths[card] = LEFT_BOWER_WORTH
    return worths


def worth(hand: Sequence[str], trump: str) -> float:
    """Return about how many tricks a maker takes with `hand`."""
    worths = card_worths(trump)
    return sum([worths[card] for card in hand])


def least(hand: Sequence[str], trump: str) -> str:
    """Return what a dealer lays away of `hand`: the least worth, best the only one of its suit."""
    worths, trumps = card_worths(trump), TRUMPS[trump]
    sides = [card[1] for card in hand if card not in trumps]

    def loss(card: str) -> tuple[float, int, int]:
        return worths[card], sides.count(card[1]), HEIGHT.index(card[0])

    return min(hand, key=loss)


def picked_up(hand: Sequence[str], bidding: Bidding) -> list[str]:
    """Return a dealer's hand after the upcard was taken for the least of the five."""
    gone = least(hand, bidding.proposed)
    return [bidding.upcard, *(card for card in hand if card != gone)]


def best_suit(hand: Sequence[str], suits: str) -> str:
    """Return the suit that a hand is worth most with."""
    return max(suits, key=lambda suit: worth(hand, suit))


def says_yes(hand: Sequence[str], bidding: Bidding, *, dealing: bool) -> float:
    """Return how likely a seat makes the proposed suit trump."""
    if dealing:
        return _likely(worth(picked_up(hand, bidding), bidding.proposed), ACCEPT_AT)
    return _likely(worth(hand, bidding.proposed), ORDER_AT)


def names_one(hand: Sequence[str], bidding: Bidding, *, dealing: bool) -> float:
    """Return how likely a seat names a suit, which one it may be, after two passes."""
    if dealing and bidding.stuck:
        return 1.0
    return _likely(max(worth(hand, suit) for suit in bidding.suits), NAME_AT)


def likelihood(
    calls: Sequence[str],
    dealt: Sequence[str],
    laid_away: str | None,
    bidding: Bidding,
    *,
    dealing: bool,
) -> float:
    """Return how likely a seat makes these `calls` when it was `dealt` these five cards.

    `laid_away` is what a dealer discarded of them, if anything.
    """
    chance, turned_down = 1.0, False
    for call in calls:
        verb, _, suit = call.partition(":")
        if verb in {"order", "accept", "pass", "name"}:
            say = names_one if turned_down else says_yes
            yes = say(dealt, bidding, dealing=dealing)
            chance *= 1 - yes if verb == "pass" else yes
            turned_down = True
        if verb == "name":
            best = worth(dealt, best_suit(dealt, bidding.suits))
            chance *= exp((worth(dealt, suit) - best) / SOFTNESS)
    if laid_away is not None and laid_away != least(dealt, bidding.proposed):
        chance *= ODD_DISCARD
    return max(chance, LEAST_LIKELY)


def _likely(hand_worth: float, enough: float) -> float:
    return 1 / (1 + exp((enough - hand_worth) / SOFTNESS))
