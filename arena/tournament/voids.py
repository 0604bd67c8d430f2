"""How often games were void, and what follows from that (contracts, 2).

A void is played again with the same cards in a new job. After some it is played alone, and if that
is void too, it stays void and is listed.
"""

from __future__ import annotations

from collections import Counter

from arena.referee.record import GameId

VOIDS_BEFORE_ALONE = 3
"""So many voids of one game, and it is played while nothing else is."""
VOIDS_BEFORE_LISTED = VOIDS_BEFORE_ALONE + 1
"""So many, and it is not played again."""


class Voids:
    """The voids of each game so far."""

    def __init__(self) -> None:
        self._counts: Counter[GameId] = Counter()

    def add(self, game: GameId) -> None:
        """Take in one more void of a game."""
        self._counts[game] += 1

    def is_alone(self, game: GameId) -> bool:
        """Whether a game is to be played alone now."""
        return self._counts[game] == VOIDS_BEFORE_ALONE

    def is_listed(self, game: GameId) -> bool:
        """Whether a game stays void."""
        return self._counts[game] >= VOIDS_BEFORE_LISTED
