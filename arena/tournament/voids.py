"""How often games were void, and what follows from that (contracts, 2).

A void is played again with the same cards in a new job. After some it is played alone, and if that
is void too, a bot that took more of the machine than it may has lost it; if none did, the game
stays void and is listed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from arena.referee.record import Forfeit, GameId, GameRecord
from arena.runtime.executor import Blame, Limits, out_of_memory

VOIDS_BEFORE_ALONE = 3
"""So many voids of one game, and it is played while nothing else is."""
VOIDS_BEFORE_LISTED = VOIDS_BEFORE_ALONE + 1
"""So many, and it is not played again."""
_KEPT_BUSY = "kept more than one core busy in a game, played alone, that could not be finished"


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


def forfeited(game: GameId, blamed: Iterable[Blame], limits: Sequence[Limits]) -> GameRecord:
    """Return the record of a game that was void when played alone: a bot to blame loses it.

    `limits` by seat. Of several it is one that had too much memory, as more than one core may be
    kept busy if the machine bears it; then the lower seat.
    """
    seat, kind = min(blamed, key=lambda one: (one[1] != "memory", one))
    detail = out_of_memory(limits[seat]).detail if kind == "memory" else _KEPT_BUSY
    none = (0,) * len(game.seats)
    winner = (seat + 1) % len(game.seats)
    end = Forfeit(seat, kind, detail)
    return GameRecord(game, none, winner, end, decisions=none, spent_us=none)
