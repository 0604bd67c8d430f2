"""How much a file of results may hold: names and boards are remembered, games are not."""

from __future__ import annotations

from collections.abc import Callable

from arena.errors import UserError

LONGEST_NAME = 100
"""Characters."""
MOST_NAMES = 1_000
MOST_BOARDS = 2_000_000


class Limits:
    """Counts what must be remembered while a file is read."""

    def __init__(self, wrong: Callable[[str], UserError]) -> None:
        """`wrong` makes an error with the place where reading is."""
        self._wrong = wrong
        self._names: set[str] = set()
        self._boards = 0

    def knows(self, name: str) -> bool:
        """Whether a name was met before."""
        return name in self._names

    def meet(self, name: str) -> None:
        """Count a new name; raises `UserError` if it is too long or one too many."""
        if len(name) > LONGEST_NAME:
            text = f"a name of {len(name)} characters; it may have {LONGEST_NAME}"
            raise self._wrong(text)
        self._names.add(name)
        if len(self._names) > MOST_NAMES:
            text = f"more than {MOST_NAMES} different names; rate fewer at a time"
            raise self._wrong(text)

    def open_board(self, name: str = "") -> None:
        """Count a new board; raises `UserError` if its name is too long or it is one too many."""
        if len(name) > LONGEST_NAME:
            text = f"a board named by {len(name)} characters; it may be {LONGEST_NAME}"
            raise self._wrong(text)
        self._boards += 1
        if self._boards > MOST_BOARDS:
            text = f"more than {MOST_BOARDS} boards; rate fewer at a time"
            raise self._wrong(text)
