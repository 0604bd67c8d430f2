"""What every variant's guide offers. No variant's own words may stand here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol


class Choice(NamedTuple):
    """Something that a person may think of choosing."""

    action: str
    text: str
    """What it is called in a list, such as ``J♦``."""
    is_legal: bool


class Guide(Protocol):
    """How a variant is played by a person. A `view` is that of the seat to act."""

    def choices(self, view: Any, legal: tuple[str, ...]) -> tuple[Choice, ...]:
        """Return what there is to choose from, in the order in which people expect it.

        All legal actions are among them; cards held that may not be played now are too.
        """
        ...

    def is_of_cards(self, view: Any) -> bool:
        """Whether one of the cards in hand is to be chosen."""
        ...

    def hand(self, view: Any) -> tuple[str, ...]:
        """Return the cards in hand as people write them, in the order in which they hold them."""
        ...

    def meanings(self, view: Any) -> Mapping[str, str]:
        """Return every text that means an action of the game, folded, and that action.

        A card alone means to do with it what is done in this phase.
        """
        ...

    def help(self, view: Any, options: Any) -> str:
        """Explain in a few sentences what is to be decided, with the options in force."""
        ...
