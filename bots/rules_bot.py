"""Plays by plain rules: call with good trumps, lead high, win cheaply. A bot to beat.

Each rule is one that a player would tell a beginner; nothing in it is fitted or computed.
"""

from collections.abc import Sequence

from arena.sdk import Bot, View, run

ORDER_AT, ACCEPT_AT, NAME_AT = 4, 2, 2
"""Good cards to make trump with. The dealer would get the upcard, so ordering wants more."""


class RulesBot(Bot):
    """Counts good cards in the bidding, and looks at one trick at a time in the play."""

    def choose(self, view: View, legal: tuple[str, ...]) -> str:
        """Follow the rule of the phase."""
        match view.phase:
            case "order":
                dealing = view.seat == view.dealer
                hand = (*view.hand, view.upcard) if dealing else view.hand
                enough = ACCEPT_AT if dealing else ORDER_AT
                return legal[0] if good_cards(view, hand, view.proposed) >= enough else "pass"
            case "pick_up":
                return "pick_up"
            case "discard":
                return min(legal, key=lambda action: view.strength(action[8:]))
            case "name":
                return name(view, legal)
            case "play":
                cards = [action[5:] for action in legal]
                return "play:" + (follow(view, cards) if view.trick else lead(view, cards))
        return legal[0]  # the joker's suit, with the hand unseen: one is as good as the other


def good_cards(view: View, hand: Sequence[str], trump: str | None) -> int:
    """Return how many cards of `hand` are trumps or aces."""
    return sum(view.is_trump(card, trump) or card[0] == "A" for card in hand)


def name(view: View, legal: Sequence[str]) -> str:
    """Name the suit with the most good cards if they are enough, or if passing is not allowed."""
    calls = [action for action in legal if action != "pass"]
    best = max(calls, key=lambda call: good_cards(view, view.hand, call[-1]))
    good = good_cards(view, view.hand, best[-1]) >= NAME_AT
    return best if good or "pass" not in legal else "pass"


def lead(view: View, cards: Sequence[str]) -> str:
    """Lead the highest card, but keep trumps to the end."""
    return max(cards, key=lambda card: (not view.is_trump(card), view.strength(card)))


def follow(view: View, cards: Sequence[str]) -> str:
    """Win as cheaply as possible; if that cannot be, part with the lowest card."""
    winners = [card for card in cards if view.would_win(card)]
    return min(winners or cards, key=view.strength)


if __name__ == "__main__":
    run(RulesBot)
