"""Plays by the book: counts the tricks a hand should take, leads winners, wins cheaply.

Two-handed Euchre is not the game with partners: nobody helps, and 13 of the 24 cards sleep in the
stock. The other seat holds a given unseen card only about once in four, so a lone ace or a low
trump is worth more, and whoever speaks first does well to name a suit on little rather than leave
the choice to the other. The numbers were fitted to games of this bot against itself.

What it does follows from its view and the game's options alone: no dice, no memory.
"""

from collections.abc import Sequence
from math import comb

from arena.sdk import Bot, View, pack, run

TRUMP_WORTH = {20: 1.7, 19: 1.5, 18: 1.2, 16: 1.1, 15: 0.9}
"""Tricks to expect of a trump by its strength: joker, right bower, left bower, ace, king."""
LOW_TRUMP_WORTH = 0.7
SIDE_WORTH = {"A": 0.6, "K": 0.3}

ORDER_AT = 3.7
"""High: the dealer would get the upcard, and often accepts with a worse hand than ours."""
ACCEPT_AT = 2.1
NAME_AT = 1.8
BOLDER_BY = 0.6
"""When one more point wins for either, a euchre costs no more than letting the other make it."""

SURE = 0.85
"""A trump that wins so often is led: it draws the other seat's trumps."""
TRUMP_KEPT = 0.5
"""Any other trump is kept, unless it is likelier to win by so much than what else there is."""


class TunedBot(Bot):
    """Calls on what the hand is worth, plays on the chance of each card."""

    def choose(self, view: View, legal: tuple[str, ...]) -> str:
        """Follow the rule of the phase."""
        match view.phase:
            case "order":
                return order(view)
            case "pick_up":
                return "pick_up" if worth(view, picked_up(view)) > worth(view) else "decline"
            case "discard":
                return "discard:" + least(view, view.hand, [action[8:] for action in legal])
            case "name":
                return name(view, legal)
            case "play":
                cards = [action[5:] for action in legal]
                return "play:" + (follow(view, cards) if view.trick else self.lead(view, cards))
        return legal[0]  # the joker's suit, with the hand unseen: one is as good as the other

    def lead(self, view: View, cards: Sequence[str]) -> str:
        """Lead what is likeliest to win, but keep trumps that are not sure to."""
        unseen = unseen_cards(view, self.game.options["deck_size"])
        surely_held = view.upcard in unseen and not self.game.options["may_discard_upcard"]
        known = view.upcard if surely_held else None

        def promise(card: str) -> tuple[float, int]:
            chance = winning_chance(view, card, unseen, known)
            keep = view.is_trump(card) and chance < SURE
            return round(chance - TRUMP_KEPT * keep, 6), view.strength(card)

        return max(cards, key=promise)


def order(view: View) -> str:
    """Make the proposed suit trump if the hand to be played with is good enough."""
    if view.seat == view.dealer:
        return "accept" if worth(view, picked_up(view)) >= ACCEPT_AT - boldness(view) else "pass"
    return "order" if worth(view) >= ORDER_AT - boldness(view) else "pass"


def name(view: View, legal: Sequence[str]) -> str:
    """Name the best suit if it is good enough, or if passing is not allowed."""
    calls = [action for action in legal if action != "pass"]
    best = max(calls, key=lambda call: worth(view, trump=call[-1]))
    good = worth(view, trump=best[-1]) >= NAME_AT - boldness(view)
    return best if good or "pass" not in legal else "pass"


def boldness(view: View) -> float:
    """Return by how much less a hand will do because of the points of the game."""
    return BOLDER_BY if all(view.target - points == 1 for points in view.points) else 0.0


def worth(view: View, hand: Sequence[str] | None = None, trump: str | None = None) -> float:
    """Return about how many tricks a maker takes with `hand` (the one held unless given)."""
    return sum(card_worth(view, card, trump) for card in (view.hand if hand is None else hand))


def card_worth(view: View, card: str, trump: str | None = None) -> float:
    """Return what `card` adds to a hand; `trump` is the suit made or proposed unless given."""
    trump = trump or view.trump or view.proposed
    if view.is_trump(card, trump):
        return TRUMP_WORTH.get(view.strength(card, trump), LOW_TRUMP_WORTH)
    return SIDE_WORTH.get(card[0], 0.0)


def picked_up(view: View) -> list[str]:
    """Return the dealer's hand after the upcard was taken for the least of the five."""
    laid_away = least(view, view.hand, view.hand)
    return [view.upcard, *(card for card in view.hand if card != laid_away)]


def least(view: View, hand: Sequence[str], cards: Sequence[str]) -> str:
    """Return which of `cards` to lay away: the least worth, best the only one of its suit."""
    trump = view.trump or view.proposed
    suits = [view.effective_suit(card, trump) for card in hand]

    def loss(card: str) -> tuple[float, int, int]:
        alike = suits.count(view.effective_suit(card, trump))
        return card_worth(view, card), alike, view.strength(card, trump)

    return min(cards, key=loss)


def follow(view: View, cards: Sequence[str]) -> str:
    """Win as cheaply as possible; if that cannot be, part with the lowest card."""
    winners = [card for card in cards if view.would_win(card)]
    return min(winners or cards, key=view.strength)


def winning_chance(view: View, card: str, unseen: Sequence[str], known: str | None) -> float:
    """Return how likely `card` wins if led; `known` is a card that the other seat surely holds.

    It loses to a higher card of its suit, and to any trump of a seat that has none of its suit.
    """
    suit, strength = view.effective_suit(card), view.strength(card)
    same = {other for other in unseen if view.effective_suit(other) == suit}
    higher = {other for other in same if view.strength(other) > strength}
    trumps = {other for other in unseen if view.is_trump(other)}
    places = len(view.hand) - (known is not None)
    pool = len(unseen) - (known is not None)

    def holds_none(of: set[str]) -> float:
        return 0.0 if known in of else comb(pool - len(of), places) / comb(pool, places)

    return holds_none(higher) - holds_none(same) + holds_none(same | trumps)


def unseen_cards(view: View, deck_size: int) -> list[str]:
    """Return the cards that the other seat may hold, going by all it has played."""
    seen, void, led = set(view.hand), set(), ""
    for seat, action in view.history:
        verb, _, card = action.partition(":")
        if verb in {"play", "discard"}:
            seen.add(card)
        if verb == "play":
            if led and seat != view.seat and view.effective_suit(card) != view.effective_suit(led):
                void.add(view.effective_suit(led))
            led = "" if led else card
    taken = any(action.startswith("discard") for _, action in view.history)
    if not taken or view.dealer == view.seat:
        seen.add(view.upcard)
    deck = pack(deck_size)
    return [card for card in deck if card not in seen and view.effective_suit(card) not in void]


if __name__ == "__main__":
    run(TunedBot)
