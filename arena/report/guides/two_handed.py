"""How two-handed Euchre is played by a person. Clauses (2H-4.3) are those of its rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product

from arena.report.guides.base import Choice, Guide
from arena.report.words.two_handed import JOKER, SIGNS, SUIT_NAMES, WORDS
from arena.rules.euchre import RANKINGS, View
from arena.rules.two_handed.options import Options
from arena.text import count

_CALLS = {
    "order": ("order", "order up"),
    "accept": ("accept",),
    "pass": ("pass",),
    "pick_up": ("pick_up", "pick up"),
    "decline": ("decline",),
}
"""All ways to type each of them, the natural ones before those that refuse."""
_OF_CARDS = ("play", "discard")


class _TwoHanded:
    def choices(self, view: View, legal: tuple[str, ...]) -> tuple[Choice, ...]:
        if self.is_of_cards(view):
            actions = [(card, f"{view.phase}:{card}") for card in self._held(view)]
            return tuple(
                Choice(action, WORDS.card(card), action in legal) for card, action in actions
            )
        return tuple(
            Choice(action, WORDS.choice(view, action), is_legal=True) for action in _natural(legal)
        )

    def is_of_cards(self, view: View) -> bool:
        return view.phase in _OF_CARDS

    def hand(self, view: View) -> tuple[str, ...]:
        return tuple(map(WORDS.card, self._held(view)))

    def _held(self, view: View) -> tuple[str, ...]:
        trump = view.trump or (None if view.turned_down else view.proposed)
        return WORDS.hand(view.hand, trump)

    def meanings(self, view: View) -> Mapping[str, str]:
        kind = "discard" if view.phase == "discard" else "play"
        suits = "declare" if view.phase == "joker_suit" else "name"
        found = {text: action for action, texts in _CALLS.items() for text in texts}
        for card in RANKINGS[None].suit:
            found |= dict.fromkeys(_written(card), f"{kind}:{card}")
            found |= _with_verb(("play", "lead"), _written(card), f"play:{card}")
            found |= _with_verb(("discard",), _written(card), f"discard:{card}")
        for suit, name in SUIT_NAMES.items():
            texts = (SIGNS[suit], f"{name}s", suit.casefold())
            found |= dict.fromkeys(texts[:2], f"{suits}:{suit}")
            for verb in ("name", "declare"):
                found |= _with_verb((verb,), texts, f"{verb}:{suit}")
        return found

    def help(self, view: View, options: Options) -> str:
        return " ".join(_help(view, options))


def _natural(legal: Iterable[str]) -> list[str]:
    """Put calls in the order in which people think of them: what refuses comes last."""
    refusals = ("pass", "decline")
    return sorted(legal, key=lambda action: (action in refusals, action))


def _written(card: str) -> tuple[str, ...]:
    """Return all ways to type a card."""
    if card == JOKER:
        return ("joker", "the joker", "xx")
    ranks = ("t", "10") if card[0] == "T" else (card[0].casefold(),)
    suits = (card[1].casefold(), SIGNS[card[1]])
    return tuple(map("".join, product(ranks, suits)))


def _with_verb(verbs: Iterable[str], texts: tuple[str, ...], action: str) -> dict[str, str]:
    pairs = product(verbs, (" ", ":"), texts)
    return {f"{verb}{between}{text}": action for verb, between, text in pairs}


def _help(view: View, options: Options) -> Iterator[str]:
    """Yield what is to be known of the present phase."""
    upcard = WORDS.card(view.upcard)
    suit = SIGNS[view.proposed] if view.proposed else ""
    match view.phase:
        case "order" if view.seat == view.dealer:
            yield f"{upcard} proposes {suit} as trump, and the other seat has passed."
            yield f"accept: {suit} is trump, you are the maker, take the upcard and discard a card."
            yield "pass: it is turned down, and suits may be named."
        case "order":
            yield f"{upcard} proposes {suit} as trump. order: {suit} is trump, you are the maker,"
            must = options.ordered_pickup == "mandatory"
            yield f"and the dealer {'must' if must else 'may'} take the upcard."
            yield "pass: the dealer may accept it."
        case "pick_up":
            yield f"{suit} is trump either way. pick up: you take {upcard} and discard a card."
            yield "decline: you keep the five cards dealt."
        case "discard":
            yield "You hold six cards; one goes face down, any"
            yield "one." if options.may_discard_upcard else f"but the {upcard} just taken."
            return
        case "name":
            yield f"{upcard} was turned down. name a suit: it is trump, and you are the maker."
            if view.seat == view.dealer:
                yield "pass: the deal is thrown in, if you may pass."
            else:
                yield "pass: the dealer may name a suit."
        case "joker_suit":
            yield "The joker is turned up, and your hand is still hidden."
            makes = options.joker_upcard == "dealer_makes"
            does = "is trump, and you take the joker" if makes else "is proposed"
            yield f"declare a suit: it {does}."
        case "play":
            yield "Follow the suit led if you can, else play any card. The highest trump wins, else"
            yield "the highest card of the suit led."
    if view.phase == "play":
        yield _trumps(view, has_joker=options.deck_size % 2 == 1)
    yield _points(view, options)


def _trumps(view: View, *, has_joker: bool) -> str:
    """Tell the order of trumps, bowers by name."""
    ranking = RANKINGS[view.trump]
    trumps = [card for card in ranking.suit if ranking.suit[card] == view.trump]
    high = sorted(trumps, key=lambda card: -ranking.strength[card])
    joker, right, left, ace, king = map(WORDS.card, high[:5])
    first = f"{joker}, " if has_joker else ""
    return (
        f"Trumps from the top: {first}{right} (right bower), {left} (left bower), {ace}, {king} ..."
    )


def _points(view: View, options: Options) -> str:
    made = count(options.points_made, "point")
    return (
        f"The maker gets {made} for three or four tricks, {options.points_march} for all five; with"
        f" fewer the other gets {options.points_euchre}. {view.target} points win."
    )


GUIDE: Guide = _TwoHanded()
