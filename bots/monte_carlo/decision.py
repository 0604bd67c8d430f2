"""What each action comes to when the other hand is known, or rather imagined."""

from collections.abc import Sequence

from calls import Bidding, best_suit, names_one, picked_up, says_yes
from chances import Stakes
from solver import Memo, Solver, solver

from arena.sdk import View

MAKER_NEEDS = (3, 5)
"""Tricks for made and for a march."""
DEFENDER_NEEDS = (1, 3)
"""Tricks against a march and for a euchre."""

RESERVE = 0.1
"""How much better a bold or a timid call must be, as a part of what it matters to make a deal.

Bold is to order, because the dealer gets the upcard; timid to decline it, or to leave the choice of
trump to the other seat for good. Solved worlds make both look a little better than they are.
"""

Hand = Sequence[str]


class Decision:
    """One decision of one seat."""

    def __init__(self, view: View, bidding: Bidding, stakes: Stakes) -> None:
        """Take what is known."""
        self._view = view
        self._bidding = bidding
        self._stakes = stakes
        self._dealing = view.seat == view.dealer
        euchred, made, _ = stakes.maker
        self._reserve = RESERVE * (made - euchred)

    def worths(self, other: Hand, legal: Sequence[str]) -> list[float]:
        """Return what each of `legal` comes to if the other seat holds `other`."""
        if self._view.phase == "play":
            return self._plays(other, legal)
        return [
            self._before_play(action, other) - self._reserve * self._is_odd(action)
            for action in legal
        ]

    def _is_odd(self, action: str) -> bool:
        """Tell whether a call is bold or timid."""
        last_word = self._dealing or self._view.turned_down
        return action in {"order", "decline"} or (action == "pass" and last_word)

    def _before_play(self, action: str, other: Hand) -> float:
        view, bidding = self._view, self._bidding
        hand: Hand = view.hand
        verb, _, what = action.partition(":")
        match verb:
            case "pass":
                return self._pass(other)
            case "accept" | "pick_up":
                hand = picked_up(hand, bidding)
            case "order":
                other = picked_up(other, bidding)
            case "discard":
                hand = [card for card in hand if card != what]
        trump = what if verb == "name" else bidding.proposed
        return self._open(trump, hand, other, making=view.maker in {None, view.seat})

    # What both seats go on to call after a pass, as the model has it.

    def _pass(self, other: Hand) -> float:
        if self._view.turned_down:
            return self._stakes.throw_in if self._dealing else self._other_names(other)
        return self._other_names(other) if self._dealing else self._other_accepts(other)

    def _other_accepts(self, other: Hand) -> float:
        bidding = self._bidding
        chance = says_yes(other, bidding, dealing=True)
        dealers = picked_up(other, bidding)
        accepted = self._open(bidding.proposed, self._view.hand, dealers, making=False)
        return chance * accepted + (1 - chance) * self._this_names(other)

    def _this_names(self, other: Hand) -> float:
        hand, bidding = self._view.hand, self._bidding
        if names_one(hand, bidding, dealing=self._dealing) >= 1 / 2:
            return self._open(best_suit(hand, bidding.suits), hand, other, making=True)
        return self._stakes.throw_in if self._dealing else self._other_names(other)

    def _other_names(self, other: Hand) -> float:
        bidding = self._bidding
        chance = names_one(other, bidding, dealing=not self._dealing)
        suit = best_suit(other, bidding.suits)
        named = self._open(suit, self._view.hand, other, making=False)
        passed = self._this_names(other) if self._dealing else self._stakes.throw_in
        return chance * named + (1 - chance) * passed

    # The play, with both hands open.

    def _open(self, trump: str, hand: Hand, other: Hand, *, making: bool) -> float:
        """Return what all tricks come to; the non-dealer leads."""
        tool = solver(trump)
        play = Play(tool, tool.bits(other), self._stakes, making=making)
        return play.worth(tool.bits(hand), len(hand), 0, leading=not self._dealing)

    def _plays(self, other: Hand, legal: Sequence[str]) -> list[float]:
        view = self._view
        tool = solver(view.trump or "")
        play = Play(tool, tool.bits(other), self._stakes, making=view.maker == view.seat)
        hand, taken, left = tool.bits(view.hand), view.tricks[view.seat], len(view.hand) - 1
        cards = [tool.bit[action[5:]] for action in legal]
        if not view.trick:
            return [play.lead(hand, card, left, taken) for card in cards]
        beaters = tool.beaters[tool.bit[view.trick[0][1]]]
        wins = [card & beaters != 0 for card in cards]
        return [
            play.worth(hand ^ card, left, taken + won, leading=won)
            for card, won in zip(cards, wins, strict=True)
        ]


class Play:
    """The rest of a deal against a known hand."""

    def __init__(self, tool: Solver, other: int, stakes: Stakes, *, making: bool) -> None:
        """Take the cards of the other seat, and whether this seat is the maker."""
        self._tool = tool
        self._other = other
        self._memo: Memo = {}
        self._needs = MAKER_NEEDS if making else DEFENDER_NEEDS
        self._ends = stakes.maker if making else stakes.defender

    def worth(self, hand: int, left: int, taken: int, *, leading: bool) -> float:
        """Return what it comes to with `left` cards in hand and so many tricks `taken`."""
        tool, other, memo = self._tool, self._other, self._memo
        reached = 0
        for need in self._needs:
            if not tool.reaches(hand, other, left, need - taken, memo, leading=leading):
                break
            reached += 1
        return self._ends[reached]

    def lead(self, hand: int, card: int, left: int, taken: int) -> float:
        """Return what it comes to if `card` is led, with `left` tricks to follow."""
        tool, other, memo = self._tool, self._other, self._memo
        reached = 0
        for need in self._needs:
            if not tool.reaches_leading(hand ^ card, other, card, left, need - taken, memo):
                break
            reached += 1
        return self._ends[reached]
