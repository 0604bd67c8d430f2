"""What a file of results says: for each two names the clusters of games that they played.

Only what was counted may live here: no format of files, no rating.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from arena.ratings.scores import Cluster

Pair = tuple[str, str]


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
    faults: Mapping[str, Mapping[str, int]] | None = None
    """By name and kind, of complete boards; None: the file does not say."""
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
