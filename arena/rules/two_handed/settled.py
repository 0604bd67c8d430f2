"""What is settled of one deal of two-handed Euchre, and how it is shown to a seat and in records.

No step of a deal may live here: those are in `bidding` and `play`.
"""

from __future__ import annotations

from typing import Any

import msgspec

from arena.rules.base import Place
from arena.rules.euchre import Cards, Phase, Reason, View
from arena.rules.race import Race
from arena.rules.two_handed.options import Options

History = tuple[tuple[int, str], ...]
Hand = tuple[str, ...]

_EVERYONE = frozenset({0, 1})
_NOBODY: frozenset[int] = frozenset()


class Settled(msgspec.Struct, frozen=True, gc=False):
    """What the bidding has settled so far; from the first lead on it stays as it is."""

    options: Options
    cards: Cards
    """As they were dealt."""
    dealer: int
    proposed: str | None
    """The suit the upcard proposes (2H-3.4); None while a joker waits for its suit."""
    turned_down: bool
    trump: str | None
    maker: int | None
    discard: str | None
    histories: tuple[History, ...]
    """The actions of the bidding as each seat knows them: the dealer's has the discard open."""

    def view(
        self,
        seat: int,
        race: Race,
        phase: Phase,
        hand: Hand,
        trick: tuple[tuple[int, str], ...] = (),
        tricks: tuple[int, ...] = (0, 0),
        plays: History = (),
    ) -> View:
        """Return what `seat` may know of the deal (2H-3.6) and of the race it is part of."""
        standing = race.standing
        return View(
            seat,
            phase,
            race.number,
            self.dealer,
            standing.points,
            self.options.target_score,
            hand,
            self.cards.upcard,
            self.proposed,
            self.trump,
            self.maker,
            self.turned_down,
            standing.throw_ins,
            trick,
            tricks,
            self.histories[seat] + plays,
        )

    def record(self, plays: History = ()) -> dict[str, Any]:
        """Return the deal as a record shows it while it is not finished."""
        return {
            "dealer": self.dealer,
            "hands": [list(hand) for hand in self.cards.hands],
            "upcard": self.cards.upcard,
            "stock": list(self.cards.stock),
            "actions": [list(action) for action in self.histories[self.dealer] + plays],
            "trump": self.trump,
            "maker": self.maker,
        }

    def places(
        self, hands: tuple[Hand, ...], plays: History = (), *, blind: bool = False
    ) -> tuple[Place, ...]:
        """Return where each card is; everyone has seen the upcard, wherever it lies now.

        `blind`: the seats have not seen their hands yet.
        """
        played = tuple(action[5:] for _, action in plays)
        discard = () if self.discard is None else (self.discard,)
        groups = [
            *(
                (f"hand {seat}", hand, _NOBODY if blind else frozenset({seat}))
                for seat, hand in enumerate(hands)
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


class Ended(msgspec.Struct, frozen=True, gc=False):
    """A finished deal."""

    settled: Settled
    reason: Reason
    points: tuple[int, ...] = (0, 0)
    """What each seat scored."""
    tricks: tuple[int, ...] = (0, 0)
    """Tricks taken by seat."""
    plays: History = ()

    @property
    def dealer(self) -> int:
        """The seat that dealt."""
        return self.settled.dealer

    def record(self) -> dict[str, Any]:
        """Return the deal as a record shows it."""
        return {
            **self.settled.record(self.plays),
            "tricks": list(self.tricks),
            "points": list(self.points),
            "reason": self.reason,
        }
