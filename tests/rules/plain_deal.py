"""One deal of two-handed Euchre in plain form: from the cards dealt to the points scored.

The rules of `arena.rules.two_handed` written once more for clearness alone; `test_kernel.py` plays
both against each other. What tricks are worth has one form only. A deal is an immutable value with
one function for each phase, which turns an action that is known to be legal into the next value.
Nothing of the game around it may live here: no target, no next dealer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import msgspec
from msgspec.structs import replace
from plain_race import Standing

from arena.cards import JOKER, SUITS, pack
from arena.errors import IllegalActionError
from arena.rules.base import Place
from arena.rules.euchre import HAND_SIZE, RANKINGS, Cards, Phase, Reason, View
from arena.rules.tricks import beats, following
from arena.rules.two_handed.options import Options
from arena.rules.two_handed.scoring import score

_EVERYONE = frozenset({0, 1})
_NOBODY: frozenset[int] = frozenset()

_DECLARE = tuple(f"declare:{suit}" for suit in SUITS)
_NAME = tuple(f"name:{suit}" for suit in SUITS)
_PLAY = {card: f"play:{card}" for card in pack(33)}
_ONLY_PLAY = {card: (play,) for card, play in _PLAY.items()}
_DISCARD = {card: f"discard:{card}" for card in pack(33)}

History = tuple[tuple[int, str], ...]


class Deal(msgspec.Struct, frozen=True):
    """One deal at one moment."""

    options: Options
    cards: Cards
    """As they were dealt."""
    dealer: int
    stuck: bool
    """The dealer may not pass in the phase `name` (2H-5.5, 2H-5.7)."""
    phase: Phase
    to_act: int | None
    """The seat to act; None when the deal is finished."""
    legal: tuple[str, ...]
    """What that seat may do, sorted; empty when the deal is finished."""
    hands: tuple[tuple[str, ...], ...]
    """The cards each seat holds now."""
    proposed: str | None
    """The suit the upcard proposes (2H-3.4); None while a joker waits for its suit."""
    actions: History = ()
    turned_down: bool = False
    trump: str | None = None
    maker: int | None = None
    discard: str | None = None
    trick: tuple[tuple[int, str], ...] = ()
    """(Seat, card) in the order played."""
    tricks: tuple[int, ...] = (0, 0)
    """Tricks taken by seat."""
    reason: Reason | None = None
    """How the deal ended; None before."""
    points: tuple[int, ...] = (0, 0)
    """What each seat scored in this deal."""

    @classmethod
    def begin(cls, options: Options, cards: Cards, dealer: int, *, stuck: bool) -> Self:
        """Turn the upcard and ask the first seat (2H-3.4, 2H-3.5, 2H-4.1)."""
        deal = cls(
            options=options,
            cards=cards,
            dealer=dealer,
            stuck=stuck,
            phase="order",
            to_act=1 - dealer,
            legal=("order", "pass"),
            hands=cards.hands,
            proposed=cards.upcard[1],
        )
        if cards.upcard != JOKER:
            return deal
        match options.joker_upcard:
            case "redeal":
                return replace(deal, to_act=None, legal=(), proposed=None, reason="joker_redeal")
            case "dealer_declares" | "dealer_makes":
                return replace(
                    deal, phase="joker_suit", to_act=dealer, legal=_DECLARE, proposed=None
                )
            case suit:
                return replace(deal, proposed=suit)

    def apply(self, action: str) -> Deal:
        """Return the deal after `action`; raises `IllegalActionError` if it is not legal."""
        if action not in self.legal or self.to_act is None:
            legal = ", ".join(self.legal) or "nothing, the game has stopped"
            raise IllegalActionError(f"{action!r} is not legal; legal: {legal}")
        deal = replace(self, actions=(*self.actions, (self.to_act, action)))
        return _STEPS[self.phase](deal, self.to_act, action)

    def view(self, seat: int, number: int, standing: Standing) -> View:
        """Return what `seat` may know (2H-3.6) of the deal `number` of a game that stands so."""
        return View(
            seat,
            self.phase,
            number,
            self.dealer,
            standing.points,
            self.options.target_score,
            self.hands[seat] if self.phase != "joker_suit" else (),
            self.cards.upcard,
            self.proposed,
            self.trump,
            self.maker,
            self.turned_down,
            standing.throw_ins,
            self.trick,
            self.tricks,
            self._history(seat),
        )

    def record(self) -> dict[str, Any]:
        """Return the deal as a record shows it; broken off without tricks, points and reason."""
        record = {
            "dealer": self.dealer,
            "hands": [list(hand) for hand in self.cards.hands],
            "upcard": self.cards.upcard,
            "stock": list(self.cards.stock),
            "actions": [list(action) for action in self.actions],
            "trump": self.trump,
            "maker": self.maker,
        }
        if self.reason is None:
            return record
        points, tricks = list(self.points), list(self.tricks)
        return {**record, "tricks": tricks, "points": points, "reason": self.reason}

    def places(self) -> tuple[Place, ...]:
        """Return where each card is; everyone has seen the upcard, wherever it lies now."""
        played = tuple(action[5:] for _, action in self.actions if action.startswith("play:"))
        discard = () if self.discard is None else (self.discard,)
        blind = self.phase == "joker_suit"
        groups = [
            *(
                (f"hand {seat}", hand, _NOBODY if blind else frozenset({seat}))
                for seat, hand in enumerate(self.hands)
            ),
            ("stock", self.cards.stock, _NOBODY),
            ("discard", discard, frozenset({self.dealer})),
            ("played", played, _EVERYONE),
        ]
        upcard = self.cards.upcard
        return (
            Place("upcard", (upcard,), _EVERYONE),
            *(
                Place(name, tuple(card for card in cards if card != upcard), seen_by)
                for name, cards, seen_by in groups
            ),
        )

    def _history(self, seat: int) -> History:
        """Return the actions as `seat` knows them: the other's discard without its card."""
        if self.discard is None or seat == self.dealer:
            return self.actions
        at = self.actions.index((self.dealer, _DISCARD[self.discard]))
        return (*self.actions[:at], (self.dealer, "discard"), *self.actions[at + 1 :])


def _declared(deal: Deal, dealer: int, action: str) -> Deal:
    """Give the joker a suit, unseen: to be proposed, or as trump at once (2H-3.5)."""
    suit = action[-1]
    deal = replace(deal, proposed=suit)
    if deal.options.joker_upcard == "dealer_makes":
        return _taken_up(replace(deal, trump=suit, maker=dealer))
    return replace(deal, phase="order", to_act=1 - dealer, legal=("order", "pass"))


def _ordered(deal: Deal, seat: int, action: str) -> Deal:
    """Answer the proposed suit (2H-4.1 to 2H-4.5)."""
    dealer = deal.dealer
    match action:
        case "pass" if seat != dealer:
            return replace(deal, to_act=dealer, legal=("accept", "pass"))
        case "pass":
            other = 1 - dealer
            deal = replace(deal, phase="name", turned_down=True, to_act=other)
            return replace(deal, legal=_names(deal, may_pass=True))
    deal = replace(deal, trump=deal.proposed, maker=seat)
    if action == "accept" or deal.options.ordered_pickup == "mandatory":
        return _taken_up(deal)
    return replace(deal, phase="pick_up", to_act=dealer, legal=("decline", "pick_up"))


def _picked_up(deal: Deal, _seat: int, action: str) -> Deal:
    """Take the upcard or leave it; its suit is trump either way (2H-4.4)."""
    return _taken_up(deal) if action == "pick_up" else _led_first(deal)


def _taken_up(deal: Deal) -> Deal:
    """Put the upcard in the dealer's hand and ask for the discard (2H-4.6)."""
    dealer, upcard = deal.dealer, deal.cards.upcard
    held = deal.hands[dealer]
    may_go = (*held, upcard) if deal.options.may_discard_upcard else held
    return replace(
        deal,
        phase="discard",
        to_act=dealer,
        legal=tuple(sorted(_DISCARD[card] for card in may_go)),
        hands=_with_hand(deal.hands, dealer, (*held, upcard)),
    )


def _discarded(deal: Deal, dealer: int, action: str) -> Deal:
    """Lay one card away, face down (2H-4.6)."""
    card = action.removeprefix("discard:")
    hands = _with_hand(deal.hands, dealer, _without(deal.hands[dealer], card))
    return _led_first(replace(deal, discard=card, hands=hands))


def _named(deal: Deal, seat: int, action: str) -> Deal:
    """Name a suit, or pass; when the dealer passes the deal is thrown in (2H-5.2 to 2H-5.6)."""
    dealer = deal.dealer
    if action != "pass":
        return _led_first(replace(deal, trump=action[-1], maker=seat))
    if seat == dealer:
        return replace(deal, to_act=None, legal=(), reason="throw_in")
    return replace(deal, to_act=dealer, legal=_names(deal, may_pass=not deal.stuck))


def _names(deal: Deal, *, may_pass: bool) -> tuple[str, ...]:
    """Return the calls of the second round, without the suit turned down (2H-5.3)."""
    anything = deal.options.may_name_turned_down_suit
    suits = tuple(call for call in _NAME if anything or call[-1] != deal.proposed)
    return (*suits, "pass") if may_pass else suits


def _led_first(deal: Deal) -> Deal:
    """Begin the play: the non-dealer leads any card (2H-6.1)."""
    leader = 1 - deal.dealer
    return replace(deal, phase="play", to_act=leader, legal=_plays(deal.hands[leader]))


def _played(deal: Deal, seat: int, action: str) -> Deal:
    """Put a card to the trick; the winner of a whole trick leads the next (2H-6)."""
    card = action[5:]
    hands = _with_hand(deal.hands, seat, _without(deal.hands[seat], card))
    trick = (*deal.trick, (seat, card))
    ranking = RANKINGS[deal.trump]
    if len(trick) == 1:
        legal = _plays(following(hands[1 - seat], card, ranking))
        return replace(deal, hands=hands, trick=trick, to_act=1 - seat, legal=legal)
    led_by, led = deal.trick[0]
    leader = seat if beats(card, led, ranking) else led_by
    tricks = (deal.tricks[0] + (leader == 0), deal.tricks[1] + (leader == 1))
    deal = replace(deal, hands=hands, trick=(), tricks=tricks)
    if not _is_over(deal.maker, tricks, deal.options):
        return replace(deal, to_act=leader, legal=_plays(hands[leader]))
    reason, points = score(deal.maker, tricks, deal.options)
    return replace(deal, to_act=None, legal=(), reason=reason, points=points)


def _plays(cards: Sequence[str]) -> tuple[str, ...]:
    if len(cards) == 1:
        return _ONLY_PLAY[cards[0]]
    return tuple(sorted([_PLAY[card] for card in cards]))


def _with_hand(
    hands: tuple[tuple[str, ...], ...], seat: int, hand: tuple[str, ...]
) -> tuple[tuple[str, ...], ...]:
    return (hand, hands[1]) if seat == 0 else (hands[0], hand)


def _without(hand: tuple[str, ...], card: str) -> tuple[str, ...]:
    at = hand.index(card)
    return hand[:at] + hand[at + 1 :]


def _is_over(maker: int | None, tricks: tuple[int, ...], options: Options) -> bool:
    """Tell whether all tricks were played, or need not be (2H-6.7)."""
    if options.play_out or sum(tricks) == HAND_SIZE:
        return sum(tricks) == HAND_SIZE
    made, lost = tricks if maker == 0 else tricks[::-1]
    return lost == 3 or (made >= 3 and lost > 0)


_STEPS = {
    "joker_suit": _declared,
    "order": _ordered,
    "pick_up": _picked_up,
    "discard": _discarded,
    "name": _named,
    "play": _played,
}
