"""What ended a tournament before its last board, and how an SPRT stands: from stored results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Annotated, Any, Literal

import msgspec

from arena.ratings.points import PointsPerDeal
from arena.ratings.ratings import Sequential
from arena.referee.record import GameId, name_of
from arena.report.endings import Ending, sprt_row, stop_row
from arena.report.standings import Points
from arena.store.reader import Reader
from arena.store.rows import Match, Stop
from arena.tools.counted import CountedGames
from arena.tournament.config import Config
from arena.tournament.ledger import stored_fate
from arena.tournament.schedule import Fate, Schedule
from arena.tournament.stops import sprt_rule

_LONGEST_REASON = 1_000
"""Characters."""
_Natural = Annotated[int, msgspec.Meta(ge=0)]


class ExportedStop(msgspec.Struct, frozen=True):
    """A stop as the last line of an export tells it, so that its games can be rated alike."""

    kind: Literal["sprt", "rating_error"]
    versions: tuple[str, ...]
    match: tuple[str, str]
    """With `board` and `seating`: the last game that counts."""
    board: _Natural
    seating: _Natural
    reason: Annotated[str, msgspec.Meta(max_length=_LONGEST_REASON)]
    figures: dict[str, Any]
    not_needed: _Natural
    """Games of the schedule after it."""

    @classmethod
    def of(cls, stop: Stop, not_needed: int) -> ExportedStop:
        """Return what is told of a stop."""
        game = stop.game
        place = (game.match[0], game.match[1]), game.board, game.seating
        return cls(stop.kind, stop.versions, *place, stop.reason, stop.figures, not_needed)

    @property
    def stop(self) -> Stop:
        """The stop itself."""
        game = GameId(self.match, self.board, self.seating)
        return Stop(self.kind, self.versions, game, self.reason, self.figures)


def ending_of(stop: Stop, not_needed: int) -> Ending:
    """Return what is shown of a stop; `msgspec.ValidationError` if its figures are none of one."""
    sprt = sprt_row(stop.figures, stop.reason) if stop.kind == "sprt" else None
    return Ending(stop_row(stop), sprt, not_needed)


def find_ending(config: Config, reader: Reader, counted: CountedGames) -> Ending:
    """Return what ended the tournament, or may yet."""
    not_needed = counted.not_needed
    stop = counted.stop
    if stop is not None:
        return ending_of(stop, not_needed)
    rule = sprt_rule(config, map(str, counted.bots))
    if rule is None:
        return Ending(not_needed=not_needed)
    seen = Counter[int | None]()
    rule.take(seen, _scores_so_far(reader, counted, rule.match, config.boards))
    state = rule.state(seen)
    text = rule.sentence(state)
    if state.decision is not None:
        text += " It counts when all games that come before it are settled."
    return Ending(None, sprt_row(rule.figures(state), text), not_needed)


def sequential_match(stop: Stop | None, *, by_version: bool = False) -> Sequential | None:
    """Return the match whose number of boards followed from its results, and what was decided.

    Bots are called by their names, or by their versions. H1 says that A is better if it is so by
    all that lies between the hypotheses; so with H0.
    """
    if stop is None or stop.kind != "sprt":
        return None
    versions = {name_of(version): version for version in stop.versions}
    names = stop.figures["a"], stop.figures["b"]
    a, b = (versions[name] if by_version else name for name in names)
    decision = stop.figures["decision"]
    above = None
    if decision == "H1" and stop.figures["elo0"] >= 0:
        above = (a, b)
    elif decision == "H0" and stop.figures["elo1"] <= 0:
        above = (b, a)
    return Sequential(a, b, above)


def without_intervals(points: Points, sequential: Sequential | None) -> Points:
    """Hide the intervals of two bots whose number of boards followed from their results."""
    if sequential is None:
        return points
    two = {sequential.a, sequential.b}
    bots = {bot: _bare(p) if bot in two else p for bot, p in points.bots.items()}
    matches = {match: _bare(p) if set(match) == two else p for match, p in points.matches.items()}
    return replace(points, bots=bots, matches=matches)


def _bare(known: PointsPerDeal) -> PointsPerDeal:
    return known._replace(points=known.points._replace(error=None))


def _scores_so_far(
    reader: Reader, counted: CountedGames, match: Match, boards: int
) -> Iterator[int | None]:
    """Return how the first boards of a match came out, up to one that is not settled."""
    schedule = Schedule((match,), boards)
    schedule.settle(
        match,
        (
            stored_fate(game)
            for game in reader.settled(match)
            if counted.counts(GameId(match, game.board, game.seating))
        ),
    )
    for game in counted.listed_voids:
        schedule.settle(game.match, [(game.board, game.seating, Fate.VOID)])
    first = schedule.first_open()
    return schedule.scores(match, range(boards if first is None else first.board))
