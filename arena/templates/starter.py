"""A bot to start from: a method for each phase of the game, with a simple rule in each.

Change one rule, keep the old file beside the new one, and `arena match NEW OLD` tells whether it
is better.
"""

from collections.abc import Sequence

from arena.sdk import Bot, View, run

BOWER_WORTH = 1.5
TRUMP_WORTH = 1.0
ACE_WORTH = 0.6
"""Tricks to expect of a card; of all others none."""

ORDER_AT = 3.0
ACCEPT_AT = 2.5
NAME_AT = 2.0
"""How many tricks a hand should be worth to make trump."""

LEFT_BOWER = 18
"""Its strength; only the right bower and the joker are stronger."""


class MyBot(Bot):
    """Counts what its hand is worth, wins as cheaply as it can."""

    def choose(self, view: View, legal: tuple[str, ...]) -> str:
        """Return one of `legal`: each phase has its own rule."""
        match view.phase:
            case "order":
                return self.order(view)
            case "pick_up":
                return "pick_up"
            case "discard":
                return "discard:" + cheapest(view, cards_of(legal))
            case "name":
                return self.name(view, legal)
            case "play":
                return "play:" + self.play(view, cards_of(legal))
        return legal[0]  # "joker_suit": the hand is still hidden

    def order(self, view: View) -> str:
        """Make the proposed suit trump, or pass. The dealer would get the upcard."""
        suit = view.proposed or ""
        if view.seat == view.dealer:
            return "accept" if worth(view, [*view.hand, view.upcard], suit) >= ACCEPT_AT else "pass"
        return "order" if worth(view, view.hand, suit) >= ORDER_AT else "pass"

    def name(self, view: View, legal: Sequence[str]) -> str:
        """Name the best suit there is, or pass if that is allowed."""
        suits = [action.removeprefix("name:") for action in legal if action != "pass"]
        best = max(suits, key=lambda suit: worth(view, view.hand, suit))
        is_good = worth(view, view.hand, best) >= NAME_AT
        return f"name:{best}" if is_good or "pass" not in legal else "pass"

    def play(self, view: View, cards: Sequence[str]) -> str:
        """Lead the highest card; else win with the lowest that does, or part with the cheapest."""
        if not view.trick:
            return max(cards, key=view.strength)
        winners = [card for card in cards if view.would_win(card)]
        return min(winners, key=view.strength) if winners else cheapest(view, cards)


def cards_of(legal: Sequence[str]) -> list[str]:
    """Return the cards of actions such as "play:JH"."""
    return [action.partition(":")[2] for action in legal]


def cheapest(view: View, cards: Sequence[str]) -> str:
    """Return the card that is missed least; any trump is stronger than all other cards."""
    return min(cards, key=lambda card: view.strength(card, view.trump))


def worth(view: View, hand: Sequence[str], trump: str) -> float:
    """Return about how many tricks a hand takes if `trump` is made trump."""
    return sum(card_worth(view, card, trump) for card in hand)


def card_worth(view: View, card: str, trump: str) -> float:
    """Return about how many tricks a card takes."""
    if view.is_trump(card, trump):
        return BOWER_WORTH if view.strength(card, trump) >= LEFT_BOWER else TRUMP_WORTH
    return ACE_WORTH if card.startswith("A") else 0.0


if __name__ == "__main__":
    run(MyBot)
