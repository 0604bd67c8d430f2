"""The bidding of a deal of two-handed Euchre: from the upcard to the discard (2H-3.4 to 2H-5.7).

It is an immutable value with one function for each phase, which turns an action that is known to
be legal into the next value: more bidding, or the play. There are about three such actions in a
deal beside ten cards played, so this is as clear as can be; what has to be fast is in `play`.
"""

from __future__ import annotations

from typing import Any, Self

from msgspec.structs import replace

from arena.cards import JOKER, SUITS, pack
from arena.rules.base import Place
from arena.rules.euchre import Cards, Phase, View
from arena.rules.race import Deal, Race, going_on
from arena.rules.two_handed.options import Options
from arena.rules.two_handed.play import Play
from arena.rules.two_handed.settled import Ended, Hand, History, Settled

_ORDER = ("order", "pass")
_ACCEPT = ("accept", "pass")
_PICK_UP = ("decline", "pick_up")
_DECLARE = tuple(f"declare:{suit}" for suit in SUITS)
_NAME = tuple(f"name:{suit}" for suit in SUITS)
_DISCARD = {card: f"discard:{card}" for card in pack(33)}


class Bidding(Deal, frozen=True, gc=False):
    """A deal before its first card is led; or for ever, when nobody makes trump."""

    options: Options
    cards: Cards
    """As they were dealt."""
    dealer: int
    stuck: bool
    """The dealer may not pass in the phase `name` (2H-5.5, 2H-5.7)."""
    phase: Phase
    hands: tuple[Hand, ...]
    """The cards each seat holds now."""
    proposed: str | None
    """The suit the upcard proposes (2H-3.4); None while a joker waits for its suit."""
    actions: History = ()
    turned_down: bool = False
    trump: str | None = None
    maker: int | None = None

    @classmethod
    def begin(cls, race: Race, options: Options, cards: Cards, *, stuck: bool) -> Self:
        """Turn the upcard and ask the first seat (2H-3.4, 2H-3.5, 2H-4.1)."""
        dealer, suit = race.standing.dealer, cards.upcard[1]
        deal = cls(
            race, 1 - dealer, _ORDER, options, cards, dealer, stuck, "order", cards.hands, suit
        )
        if cards.upcard != JOKER:
            return deal
        match options.joker_upcard:
            case "redeal":
                return replace(deal, to_act=None, choices=(), proposed=None)
            case "dealer_declares" | "dealer_makes":
                return replace(
                    deal, phase="joker_suit", to_act=dealer, choices=_DECLARE, proposed=None
                )
            case suit:
                return replace(deal, proposed=suit)

    def apply(self, action: str) -> Deal:
        """Return the state after `action`; raises `IllegalActionError` if it is not legal."""
        seat = self.to_act
        if action not in self.choices or seat is None:
            raise self.refusal(action)
        actions = (*self.actions, (seat, action))
        return _STEPS[self.phase](self, seat, action, actions)

    def view(self, seat: int) -> View:
        """Return what `seat` may know now."""
        hand = self.hands[seat] if self.phase != "joker_suit" else ()
        return self.settled().view(seat, self.race, self.phase, hand)

    def record(self) -> dict[str, Any]:
        """Return the deal as a record shows it while it is not finished."""
        return self.settled().record()

    def ended(self) -> Ended:
        """Return what is kept of the deal, in which nobody made trump."""
        return Ended(self.settled(), "throw_in" if self.turned_down else "joker_redeal")

    def places(self) -> tuple[Place, ...]:
        """Return where each card of the pack is."""
        return self.settled().places(self.hands, blind=self.phase == "joker_suit")

    def settled(self, discard: str | None = None) -> Settled:
        """Return what the bidding has settled, whose last action may have been a discard."""
        actions, hidden = self.actions, self.actions
        if discard is not None:
            hidden = (*actions[:-1], (self.dealer, "discard"))
        return Settled(
            self.options,
            self.cards,
            self.dealer,
            self.proposed,
            self.turned_down,
            self.trump,
            self.maker,
            discard,
            (actions, hidden) if self.dealer == 0 else (hidden, actions),
        )


def _declared(deal: Bidding, dealer: int, action: str, actions: History) -> Bidding:
    """Give the joker a suit, unseen: to be proposed, or as trump at once (2H-3.5)."""
    suit = action[-1]
    if deal.options.joker_upcard == "dealer_makes":
        return _taken_up(replace(deal, proposed=suit, trump=suit, maker=dealer, actions=actions))
    return replace(
        deal, phase="order", to_act=1 - dealer, choices=_ORDER, proposed=suit, actions=actions
    )


def _ordered(deal: Bidding, seat: int, action: str, actions: History) -> Bidding:
    """Answer the proposed suit (2H-4.1 to 2H-4.5)."""
    dealer = deal.dealer
    match action:
        case "pass" if seat != dealer:
            return replace(deal, to_act=dealer, choices=_ACCEPT, actions=actions)
        case "pass":
            return replace(
                deal,
                phase="name",
                turned_down=True,
                to_act=1 - dealer,
                choices=_names(deal, may_pass=True),
                actions=actions,
            )
    made = replace(deal, trump=deal.proposed, maker=seat, actions=actions)
    if action == "accept" or deal.options.ordered_pickup == "mandatory":
        return _taken_up(made)
    return replace(made, phase="pick_up", to_act=dealer, choices=_PICK_UP)


def _picked_up(deal: Bidding, _seat: int, action: str, actions: History) -> Bidding | Play:
    """Take the upcard or leave it; its suit is trump either way (2H-4.4)."""
    deal = replace(deal, actions=actions)
    return (
        _taken_up(deal)
        if action == "pick_up"
        else Play.begin(deal.race, deal.settled(), deal.hands)
    )


def _taken_up(deal: Bidding) -> Bidding:
    """Put the upcard in the dealer's hand and ask for the discard (2H-4.6)."""
    dealer = deal.dealer
    held = deal.hands[dealer]
    taken = (*held, deal.cards.upcard)
    may_go = taken if deal.options.may_discard_upcard else held
    legal = tuple(sorted([_DISCARD[card] for card in may_go]))
    hands = _with_hand(deal.hands, dealer, taken)
    return replace(deal, phase="discard", to_act=dealer, choices=legal, hands=hands)


def _discarded(deal: Bidding, dealer: int, action: str, actions: History) -> Play:
    """Lay one card away, face down (2H-4.6)."""
    card = action.removeprefix("discard:")
    hand = tuple([held for held in deal.hands[dealer] if held != card])
    settled = replace(deal, actions=actions).settled(card)
    return Play.begin(deal.race, settled, _with_hand(deal.hands, dealer, hand))


def _named(deal: Bidding, seat: int, action: str, actions: History) -> Deal:
    """Name a suit, or pass; when the dealer passes the deal is thrown in (2H-5.2 to 2H-5.6)."""
    dealer = deal.dealer
    if action != "pass":
        made = replace(deal, trump=action[-1], maker=seat, actions=actions)
        return Play.begin(deal.race, made.settled(), deal.hands)
    if seat == dealer:
        return going_on(replace(deal, to_act=None, choices=(), actions=actions))
    legal = _names(deal, may_pass=not deal.stuck)
    return replace(deal, to_act=dealer, choices=legal, actions=actions)


def _names(deal: Bidding, *, may_pass: bool) -> tuple[str, ...]:
    """Return the calls of the second round, without the suit turned down (2H-5.3)."""
    anything = deal.options.may_name_turned_down_suit
    suits = tuple([call for call in _NAME if anything or call[-1] != deal.proposed])
    return (*suits, "pass") if may_pass else suits


def _with_hand(hands: tuple[Hand, ...], seat: int, hand: Hand) -> tuple[Hand, ...]:
    return (hand, hands[1]) if seat == 0 else (hands[0], hand)


_STEPS = {
    "joker_suit": _declared,
    "order": _ordered,
    "pick_up": _picked_up,
    "discard": _discarded,
    "name": _named,
}
