"""What is said of every variant's mistakes. No variant's own words may stand here."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol


class Mistake(NamedTuple):
    """Why an action is not legal."""

    kind: str
    """Which rule it breaks, one of the variant's own kinds."""
    text: str
    """One sentence without its end, in which whoever chose the action is ``who``."""


class Tell(Protocol):
    """Says of an action why it is not legal: a pure function."""

    def __call__(self, view: Any, legal: tuple[str, ...], action: str, who: str = ...) -> Mistake:
        """Judge `action`, any text that is not in `legal`, by the view of the seat that is asked.

        `who` is what that seat is called; the reader, unless it is given. Raises `ValueError` for
        an action that is legal.
        """
        ...
