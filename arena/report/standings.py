"""What is shown of a tournament: plain values, which the other modules of this package show.

Ratings, scores and faults come in counted. What is shown of games is what the ratings rest on:
complete boards.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from arena.ratings.points import PointsPerDeal
from arena.ratings.ratings import Ratings
from arena.ratings.scores import MatchScore
from arena.ratings.seats import SeatBias
from arena.report.circumstances import Circumstances
from arena.report.endings import Ending


@dataclass(frozen=True)
class Progress:
    """How far a tournament is; None is what a file of results does not tell of its own."""

    tournament: str | None
    complete: bool | None
    """Every scheduled game is played or settled."""
    games: int
    """Finished games that count."""
    scheduled: int | None
    void: int | None
    """Games that stay void."""
    dropped: int | None
    """Games of withdrawn bots that are not played, or do not count."""
    commitment: str | None
    """SHA-256 of the secret that all cards come from, lower-case hex."""
    closed: bool | None
    """Whether a drawn secret is revealed, so that nothing more is played."""


@dataclass(frozen=True)
class Tally:
    """What is shown of a bot beside its results."""

    bot: str
    """Its name, as in scores and ratings."""
    version: str | None
    """Its version, such as ``a@1``; None: a file of results does not say."""
    faults: Mapping[str, int] | None
    """How many of each kind; None: a file of results does not say."""
    ms_per_decision: float | None
    cpu_ms_per_decision: float | None
    """CPU time of all its processes; None: it was not measured."""
    withdrawn: str | None
    """Why it does not play."""
    left_out: bool = False
    """Whether that is so for the last run only, which could not start it."""


@dataclass(frozen=True)
class Points:
    """What the deals of complete boards say, beside who won: points per deal."""

    bots: Mapping[str, PointsPerDeal] = field(default_factory=dict)
    """By name, over all matches of a bot."""
    matches: Mapping[tuple[str, str], PointsPerDeal] = field(default_factory=dict)
    """From the view of the first of the two."""
    seats: SeatBias = field(default_factory=SeatBias)
    unknown: int = 0
    """Games left out because an older arena, which kept no points of deals, stored them."""

    def of_bot(self, bot: str) -> PointsPerDeal:
        """Return what is known of a bot, if only that it is nothing."""
        return self.bots.get(bot, PointsPerDeal())

    def of_match(self, a: str, b: str) -> PointsPerDeal:
        """Return what is known of a match from the view of `a`, its first."""
        return self.matches.get((a, b), PointsPerDeal())


@dataclass(frozen=True)
class Alike:
    """Two bots that split every board of their match, and on most did the same in both games."""

    a: str
    b: str
    same: int
    """Boards of which both games were the same, action for action."""
    seen: int
    """Boards that were looked at, the first ones."""
    boards: int
    """Complete boards of the match."""


@dataclass(frozen=True)
class Standings:
    """All that is shown; each bot of `ratings` has its tally."""

    progress: Progress
    tallies: tuple[Tally, ...]
    scores: tuple[MatchScore, ...]
    ratings: Ratings
    circumstances: Circumstances
    points: Points = field(default_factory=Points)
    ending: Ending = field(default_factory=Ending)
    alike: tuple[Alike, ...] = ()
