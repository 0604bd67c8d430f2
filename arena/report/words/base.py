"""What is said of every variant's games. No variant's own words may stand here.

All that is returned is one line without its end. Names of bots are shown as they are given: who
takes them from outside makes them `visible` first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

YOU = "you"
"""A name for the reader: verbs agree with it ("you lead", "rules_bot leads")."""

Names = tuple[str, ...]
"""What the bot or person on each seat is called."""


def does(name: str, verb: str, third: str | None = None) -> str:
    """Return a name with a verb that agrees with it; its `third` person is with an s if not given.

    Such as ``you take`` and ``rules_bot takes``.
    """
    return f"{name} {verb if name == YOU else third or f'{verb}s'}"


class Words(Protocol):
    """How a variant's games are told.

    A `view` is always that of the seat to act, before it acts (`State.view(state.to_act)`), and an
    `action` one that is legal then.
    """

    def card(self, card: str) -> str:
        """Return a card as people write it, such as ``J♦``."""
        ...

    def hand(self, cards: Iterable[str], trump: str | None = None) -> tuple[str, ...]:
        """Return cards (as the rules write them) in the order in which a person holds them."""
        ...

    def head(self, view: Any, names: Names, first: int = 0) -> str:
        """Return how a deal stands: its number, points, trump and who made it, upcard or tricks.

        Any seat's view will do. The seat `first` comes first in points and tricks.
        """
        ...

    def sees(self, view: Any, names: Names) -> str:
        """Return what the seat has before it: its hand, and the card that was led."""
        ...

    def situation(self, view: Any) -> str:
        """Say what kind of decision it is, such as ``leads as maker``: there are few kinds."""
        ...

    def told(self, view: Any, action: str, name: str) -> str:
        """Say what `name` does, such as ``rules_bot leads A♠``."""
        ...

    def choice(self, view: Any, action: str) -> str:
        """Say what may be done, such as ``lead A♠``."""
        ...

    def forced(self, view: Any, legal: tuple[str, ...]) -> str | None:
        """Say what rule leaves the seat only some of its cards; None if it may play any."""
        ...

    def taken_by(self, view: Any, action: str) -> int | None:
        """Return the seat that takes the trick which `action` completes; None if it does not."""
        ...

    def ended(self, deal: Mapping[str, Any], names: Names) -> str:
        """Say what came of a finished deal, as the game record has it (`State.deals`)."""
        ...
