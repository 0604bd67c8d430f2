"""What a file of results says: for each two names the clusters of games that they played.

A cluster is what has its cards in common and so counts as one experiment: a board with all its
games. Only counting may live here: no format of files, no rating.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

Pair = tuple[str, str]
Cluster = tuple[int, int]
"""Games, and what the first name of the pair scored in them: 2 for each it won, 1 for a draw."""


@dataclass(frozen=True)
class Played:
    """All that two names played."""

    clusters: Mapping[Cluster, int]
    """How many there are of each kind."""
    drawn: int = 0
    """Games."""
    half_boards: int = 0
    """Boards left out because only one of their games is there."""


@dataclass(frozen=True)
class Gathered:
    """All that was read from a file."""

    matches: Mapping[Pair, Played]
    games: int
    """Those that count, with those of half boards."""
    faults: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """By name and kind; of complete boards."""
    versions: Mapping[str, str] = field(default_factory=dict)
    """By name, where the file has versions."""
    complete: bool | None = None
    """Whether all games of the schedule are there, if the file says so."""
    notices: tuple[str, ...] = ()
    """What a person must know of it."""

    @property
    def names(self) -> tuple[str, ...]:
        """All names, sorted."""
        return tuple(sorted({name for pair in self.matches for name in pair}))
