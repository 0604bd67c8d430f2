"""Two-handed Euchre in words and cards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from arena.report.words.base import Names, Words, does
from arena.rules.euchre import RANKINGS, View
from arena.text import count

SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
"""Of the suits."""
SUIT_NAMES = {"C": "club", "D": "diamond", "H": "heart", "S": "spade"}
"""Of one card each."""
JOKER = "XX"
"""That of `arena.cards`, which reports do not import."""
_TEN = "T"
_HELD_IN_ORDER = "SHCD"
"""Plain suits from left to right, black and red in turns."""


class _Verb(NamedTuple):
    """Something that is done, in the forms that are needed of it."""

    bare: str
    third: str
    past: str


_VERBS = {
    "pass": _Verb("pass", "passes", "passed"),
    "order": _Verb("order up", "orders up", "ordered up"),
    "accept": _Verb("accept", "accepts", "accepted"),
    "pick_up": _Verb("pick up", "picks up", "picked up"),
    "decline": _Verb("decline", "declines", "declined"),
    "discard": _Verb("discard", "discards", "discarded"),
    "name": _Verb("name", "names", "named"),
    "declare": _Verb("declare", "declares", "declared"),
    "play": _Verb("play", "plays", "played"),
}
_LEAD = _Verb("lead", "leads", "led")
_MAKING = ("order", "accept", "name", "declare")
"""Calls that can make trump."""
_HIDDEN = "a card"
"""What another seat's discard is."""


class _TwoHanded:
    def card(self, card: str) -> str:
        if card == JOKER:
            return "joker"
        rank = "10" if card[0] == _TEN else card[0]
        return rank + SIGNS[card[1]]

    def hand(self, cards: Iterable[str], trump: str | None = None) -> tuple[str, ...]:
        suit, strength = RANKINGS[trump].suit, RANKINGS[trump].strength
        left_to_right = f"X{trump or ''}{_HELD_IN_ORDER}"
        return tuple(
            sorted(cards, key=lambda card: (left_to_right.index(suit[card]), -strength[card]))
        )

    def head(self, view: View, names: Names, first: int = 0) -> str:
        second = 1 - first
        parts = [
            f"Deal {view.deal}",
            f"{names[first]} {view.points[first]} - {view.points[second]} {names[second]}",
        ]
        if view.maker is not None:
            parts.append(self._trump(view, view.maker, names))
        if view.phase == "play":
            parts.append(f"tricks {view.tricks[first]} - {view.tricks[second]}")
        else:
            turned_down = " turned down" if view.turned_down else ""
            parts.append(f"upcard {self.card(view.upcard)}{turned_down}")
        return "   ".join(parts)

    def _trump(self, view: View, maker: int, names: Names) -> str:
        calls = [action.partition(":")[0] for seat, action in view.history if seat == maker]
        made = next(call for call in calls if call in _MAKING)
        suit = SIGNS[view.trump or ""]
        return f"trump {suit} ({names[maker]} {_VERBS[made].past})"

    def sees(self, view: View, names: Names) -> str:
        trump = view.trump or (None if view.turned_down else view.proposed)
        held = [self.card(card) for card in self.hand(view.hand, trump)]
        led = [f"{names[seat]} led {self.card(card)}" for seat, card in view.trick]
        return "   ".join([" ".join(["hand", *held]) if held else "hand unseen", *led])

    def situation(self, view: View) -> str:
        is_dealer = view.seat == view.dealer
        match view.phase:
            case "play":
                does = "follows" if view.trick else "leads"
                return f"{does} as {'maker' if view.seat == view.maker else 'defender'}"
            case "order":
                return f"{'accepts' if is_dealer else 'orders up'} or passes"
            case "name":
                return f"names or passes as {'dealer' if is_dealer else 'non-dealer'}"
            case "pick_up":
                return "picks up or declines"
            case "discard":
                return "discards"
            case "joker_suit":
                return "declares"

    def told(self, view: View, action: str, name: str) -> str:
        verb, what = self._said(view, action)
        return " ".join(filter(None, (does(name, verb.bare, verb.third), what)))

    def choice(self, view: View, action: str) -> str:
        verb, what = self._said(view, action)
        return " ".join(filter(None, (verb.bare, what)))

    def _said(self, view: View, action: str) -> tuple[_Verb, str]:
        kind, _, of = action.partition(":")
        verb = _LEAD if kind == "play" and not view.trick else _VERBS[kind]
        match kind:
            case "play" | "discard":
                article = "the " if of == JOKER else ""
                return verb, article + self.card(of) if of else _HIDDEN
            case "name" | "declare":
                return verb, SIGNS[of]
        return verb, ""

    def forced(self, view: View, legal: tuple[str, ...]) -> str | None:
        if view.phase != "play" or len(legal) == len(view.hand):
            return None
        led = view.trick[0][1]
        suit = view.effective_suit(led)
        reasons = [f"{SIGNS[suit]} must be followed"]
        in_doubt = [card for card in view.hand if card[1] == suit or f"play:{card}" in legal]
        reasons += [
            f"the {self.card(card)} is a trump" + ("" if card == JOKER else ", the left bower")
            for card in (led, *in_doubt)
            if view.is_trump(card) and card[1] != view.trump
        ]
        return "; ".join(reasons)

    def taken_by(self, view: View, action: str) -> int | None:
        kind, _, card = action.partition(":")
        if kind != "play" or not view.trick:
            return None
        return view.seat if view.would_win(card) else view.winning_seat()

    def ended(self, deal: Mapping[str, Any], names: Names) -> str:
        match deal["reason"]:
            case "throw_in":
                return "nobody makes trump: the deal is thrown in"
            case "joker_redeal":
                return "the joker is turned up: the cards are dealt again"
        maker, points = deal["maker"], deal["points"]
        winner = points.index(max(points))
        tricks = f"{deal['tricks'][maker]} - {deal['tricks'][1 - maker]} tricks"
        worth = f"{count(points[winner], 'point')} for {names[winner]}"
        return f"{self._result(deal['reason'], names[maker])}, {tricks}: {worth}"

    def _result(self, reason: str, name: str) -> str:
        match reason:
            case "euchre":
                return f"{does(name, 'are', 'is')} euchred"
            case "march":
                return does(name, "march", "marches")
        return f"{does(name, 'make')} it"


WORDS: Words = _TwoHanded()
