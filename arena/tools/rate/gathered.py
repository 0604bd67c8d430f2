"""What a file of results says, whatever its format."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from arena.ratings.scores import MatchScore
from arena.tools.deals import DealSums
from arena.tools.endings import ExportedStop


@dataclass(frozen=True)
class Gathered:
    """All that was read from a file."""

    scores: tuple[MatchScore, ...]
    """Sorted by their names."""
    games: int
    """Those that count, with those of half boards."""
    faults: Mapping[str, Mapping[str, int]] | None = None
    """By name and kind, of complete boards; None: the file does not say."""
    versions: Mapping[str, str] = field(default_factory=dict)
    """By name, where the file has versions."""
    deals: DealSums = field(default_factory=DealSums)
    """Of complete boards, by version."""
    complete: bool | None = None
    """Whether all games of the schedule are there, if the file says so."""
    stop: ExportedStop | None = None
    """What ended the tournament before its last board, if the file says that something did."""
    notices: tuple[str, ...] = ()
    """What a person must know of it."""

    @property
    def names(self) -> tuple[str, ...]:
        """All names, sorted."""
        return tuple(sorted({name for score in self.scores for name in (score.a, score.b)}))
