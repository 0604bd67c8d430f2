"""Which mistake an illegal answer is, found from the view and the answer alone. Pure.

`report/mistakes` says which rule is broken, and in which words. Here it is asked what the bot
believes: would its answer have been legal for somebody who takes the left bower for a card of its
printed suit, or the cards of the last deal for those of this one?
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from arena.cards import JOKER
from arena.report import mistakes
from arena.rules.euchre import View

_OF_KINDS = {
    "unknown": "A101",
    "phase": "A102",
    "role": "A110",
    "upcard_discarded": "A111",
    "turned_down_suit": "A112",
    "stuck_dealer": "A113",
}
_Suit = Callable[[str], str]


class Diagnosis(msgspec.Struct, frozen=True):
    """What is wrong with one answer."""

    code: str
    text: str
    """Which rule is broken, in a sentence without its end."""


def diagnose(
    view: View, legal: tuple[str, ...], action: str, earlier: frozenset[str] = frozenset()
) -> Diagnosis | None:
    """Return which mistake `action` is; None if it is legal.

    `earlier` are the cards that the seat held in earlier deals of the game.
    """
    if action in legal:
        return None
    kind, text = mistakes.load("two_handed")(view, legal, action, "it")
    card = action.partition(":")[2]
    code = _OF_KINDS.get(kind)
    if code is None:
        code = _of_suit(view, card) if card in view.hand else _of_absent(view, card, earlier)
    return Diagnosis(code, text)


def _of_absent(view: View, card: str, earlier: frozenset[str]) -> str:
    """Return why a card might be thought to be in the hand."""
    for seat, action in view.history:
        if action in (f"play:{card}", f"discard:{card}"):
            return "A107" if seat == view.seat else "A110"
    if card == view.upcard:
        return "A108"
    return "A114" if card in earlier else "A109"


def _of_suit(view: View, card: str) -> str:
    """Return which wrong belief about suits lets `card` follow the card led (2H-2.4, 2H-2.6)."""
    led = view.trick[0][1]
    right: _Suit = view.effective_suit
    if led == JOKER:
        return "A105"
    if right(led) != led[1] and any(
        _follows(view.hand, card, led[1], suit) for suit in (_printed, right)
    ):
        return "A103"
    holds_left_bower = any(_is_left_bower(view, one) for one in view.hand)
    if holds_left_bower and _follows(
        view.hand, card, right(led), lambda one: right(one) if one == JOKER else one[1]
    ):
        return "A104"
    if JOKER in view.hand and (
        card == JOKER
        or _follows(view.hand, card, right(led), lambda one: one[1] if one == JOKER else right(one))
    ):
        return "A105"
    return "A106"


def _follows(hand: Sequence[str], card: str, wanted: str, suit: _Suit) -> bool:
    """Whether `card` would be legal to a lead of the suit `wanted` if cards were of these suits."""
    return card in ([one for one in hand if suit(one) == wanted] or hand)


def _printed(card: str) -> str:
    return card[1]


def _is_left_bower(view: View, card: str) -> bool:
    return card != JOKER and view.effective_suit(card) != card[1]
