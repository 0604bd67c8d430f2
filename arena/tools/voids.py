"""Games that stay void: they count as settled, and nothing more.

Counting only; what a game is worth is not known here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from arena.referee.record import GameId
from arena.store.reader import Reader
from arena.tournament.runner import VOIDS_BEFORE_LISTED
from arena.tournament.schedule import matches


def listed_voids(reader: Reader, versions: Sequence[str], boards: int) -> int:
    """Count the games of the schedule of these bot versions that are void for good."""
    scheduled = set(matches(versions))
    counts: Counter[GameId] = Counter(void.id for void in reader.voids())
    return sum(
        count >= VOIDS_BEFORE_LISTED and game.board < boards and game.match in scheduled
        for game, count in counts.items()
    )
