"""Why an action is not legal in two-handed Euchre. Clauses (2H-6.3) are those of its rules."""

from __future__ import annotations

from typing import Literal

from arena.report.mistakes.base import Mistake
from arena.report.words import YOU
from arena.report.words.two_handed import JOKER, SIGNS, SUIT_NAMES, WORDS
from arena.rules.euchre import RANKINGS, View
from arena.text import did_you_mean, visible

Kind = Literal[
    "unknown",
    "phase",
    "role",
    "not_in_hand",
    "follow",
    "printed_suit",
    "upcard_discarded",
    "turned_down_suit",
    "stuck_dealer",
]
"""`unknown`: no action of the game. `phase`: one of another phase. `role`: one of the other seat.
`printed_suit`: legal if the left bower or the joker had only its printed suit; else `follow`."""

_OF_CARDS = {f"{kind}:{card}" for kind in ("play", "discard") for card in RANKINGS[None].suit}
_OF_SUITS = {f"{kind}:{suit}" for kind in ("name", "declare") for suit in SIGNS}
_CALLS = {"order", "accept", "pass", "pick_up", "decline"}
_EVERY = _OF_CARDS | _OF_SUITS | _CALLS
_OF_PHASE = {
    "joker_suit": {"declare"},
    "order": {"order", "accept", "pass"},
    "pick_up": {"pick_up", "decline"},
    "discard": {"discard"},
    "name": {"name", "pass"},
    "play": {"play"},
}
_DUE = {
    "joker_suit": "declare a suit",
    "pick_up": "pick up or decline",
    "discard": "discard a card",
    "name": "name a suit",
    "play": "play a card",
}
_ROLES = {
    "order": "only the non-dealer orders up; the dealer may accept or pass",
    "accept": "only the dealer accepts; the non-dealer may order up or pass",
}


def mistake(view: View, legal: tuple[str, ...], action: str, who: str = YOU) -> Mistake:
    """Say why `action` is not legal (`base.Tell`)."""
    if action in legal:
        raise ValueError(f"{action!r} is legal")
    if action not in _EVERY:
        return _told("unknown", _unknown(action, legal))
    kind, _, of = action.partition(":")
    if kind not in _OF_PHASE[view.phase]:
        return _told(
            "phase", f"{who} cannot {_named(view, action)} now: it is time to {_due(view)}"
        )
    if view.phase in ("play", "discard"):
        return _of_card(view, legal, of, who)
    return _of_call(view, kind, of, who)


def _of_call(view: View, kind: str, suit: str, who: str) -> Mistake:
    if view.phase == "order":
        return _told("role", _ROLES[kind])
    if kind == "pass":  # 2H-5.5, 2H-5.7
        text = f"all others have passed, so the dealer must name a suit: {who} may not pass"
        return _told("stuck_dealer", text)
    text = f"{SIGNS[suit]} was turned down: {who} must name another suit"
    return _told("turned_down_suit", text)  # 2H-5.3


def _of_card(view: View, legal: tuple[str, ...], card: str, who: str) -> Mistake:
    if card not in view.hand:
        return _told("not_in_hand", _not_in_hand(view, card))
    if view.phase == "discard":  # 2H-4.6
        text = f"{_the(card)} is the upcard just taken: {who} must discard another card"
        return _told("upcard_discarded", text)
    return _must_follow(view, legal, card, who)


def _told(kind: Kind, text: str) -> Mistake:
    return Mistake(kind, text)


def _unknown(action: str, legal: tuple[str, ...]) -> str:
    """Say that there is no such action, and which one may be meant."""
    alike = [one for one in sorted(_EVERY) if one.casefold() == action.strip().casefold()]
    hint = did_you_mean(action, alike or legal)
    return f'"{visible(action)}" is no action' + (f"; {hint}" if hint else " of this game")


def _named(view: View, action: str) -> str:
    """Say what was chosen; a card is played in any phase, since nobody leads outside of play."""
    if action.startswith("play:") and view.phase != "play":
        return f"play {WORDS.card(action.removeprefix('play:'))}"
    return WORDS.choice(view, action)


def _due(view: View) -> str:
    if view.phase == "order":
        return "accept or pass" if view.seat == view.dealer else "order up or pass"
    return _DUE[view.phase]


def _the(card: str) -> str:
    """Return a card as the beginning of a sentence's subject."""
    return "the joker" if card == JOKER else WORDS.card(card)


def _not_in_hand(view: View, card: str) -> str:
    """Say that a card is not in hand, and where it is if the seat knows."""
    where = {of: what for _, action in view.history for what, _, of in [action.partition(":")]}
    gone = {"play": ", it has been played", "discard": ", it was discarded"}
    upcard = ", it is the upcard" if card == view.upcard else ""
    return f"{_the(card)} is not in hand{gone.get(where.get(card, ''), upcard)}"


def _must_follow(view: View, legal: tuple[str, ...], card: str, who: str) -> Mistake:
    """Say which suit must be followed, and which card is not of its printed suit (2H-6.4)."""
    led = view.trick[0][1]
    must = f"{who} must follow {SIGNS[view.effective_suit(led)]}"
    kind: Kind = "printed_suit" if _is_legal_as_printed(view, led, card) else "follow"
    if _is_hidden_trump(view, card):
        return _told(kind, f"{_revealed(view, card)}: {must}")
    if _is_hidden_trump(view, led):
        return _told(kind, f"{_revealed(view, led, ', which was led,')}: {must}")
    if kind == "printed_suit":  # then what follows does not look as if it did
        follower = legal[0].removeprefix("play:")
        return _told(kind, f"{_revealed(view, follower)}: {must} with it")
    return _told(kind, must)


def _is_legal_as_printed(view: View, led: str, card: str) -> bool:
    """Whether a card would be legal if each was of the suit printed on it, a joker of its own."""
    return card[1] == led[1] or all(held[1] != led[1] for held in view.hand)


def _is_hidden_trump(view: View, card: str) -> bool:
    """Whether it is a trump though another suit, or none, is printed on it."""
    return view.is_trump(card) and card[1] != view.trump


def _revealed(view: View, card: str, clause: str = "") -> str:
    """Say what a hidden trump is, such as ``J♦ is the left bower, so it is a heart``."""
    what = "a trump" if card == JOKER else "the left bower"
    return f"{_the(card)}{clause} is {what}, so it is a {SUIT_NAMES[view.effective_suit(card)]}"
