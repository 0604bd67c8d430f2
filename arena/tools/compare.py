"""Behind `arena compare`: two bots of a tournament, or two versions of one, beside each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from arena.errors import UserError
from arena.ratings.critical import chance_above, student
from arena.ratings.points import PointsPerDeal
from arena.ratings.rate import rate
from arena.ratings.ratings import Ratings
from arena.ratings.ratio import Estimate
from arena.ratings.scores import GameRow, MatchScore, match_scores
from arena.report.comparison import Comparison, Faults
from arena.report.remarks import notices
from arena.report.standings import Standings
from arena.store.reader import Reader
from arena.store.rows import BotVersion
from arena.text import visible
from arena.tools.boards import boards, is_complete, row_of
from arena.tools.deals import DealSums, SeatedGame
from arena.tools.endings import sequential_match
from arena.tools.faults import faults_between
from arena.tools.rankings import current_standings
from arena.tools.versions import counting_between, find_version
from arena.tournament.config import Config
from arena.tournament.counting import standing_stop
from arena.tournament.entering import known_tournament


def compare(config: Config, reader: Reader, a: str, b: str) -> Comparison:
    """Compare `a` and `b`: names, or versions such as ``monte@1``.

    Present versions are compared as the table shows them. If one of the two is not present any
    more, all versions that ever played are rated together.

    Raises `UserError` if there are no results, `config` does not describe them, or no such bots.
    """
    standings = current_standings(config, reader)
    bots = reader.bots()
    first, second = find_version(bots, a), find_version(bots, b)
    if first == second:
        raise UserError(f"{first} cannot be compared with itself: name two bots or versions")
    present = first.current and second.current
    known = (
        _of_present(standings, first, second)
        if present
        else _of_versions(config, reader, first, second)
    )
    versions = str(first), str(second)
    counting = counting_between(config, reader, versions)
    faults = faults_between(
        reader, versions, lambda game: game.board < config.boards and counting.counts(game)
    )
    return _comparison(config, standings, known, versions, faults)


@dataclass(frozen=True)
class _Known:
    """What a comparison is made of."""

    score: MatchScore
    """From the view of the first."""
    ratings: Ratings
    points: PointsPerDeal
    """Likewise."""
    stop: str | None
    """What ended the tournament that their match belongs to before its last board."""


def _of_present(standings: Standings, first: BotVersion, second: BotVersion) -> _Known:
    a, b = first.name, second.name
    points = standings.points.of_match(min(a, b), max(a, b))
    stop = standings.ending.stop
    return _Known(
        _score(standings.scores, a, b),
        standings.ratings,
        points if a < b else _turned(points),
        None if stop is None else stop.reason,
    )


def _of_versions(config: Config, reader: Reader, first: BotVersion, second: BotVersion) -> _Known:
    sums = DealSums()
    with reader.steady():
        known_tournament(config, reader)
        scores = match_scores(_rows(config, reader, sums, (str(first), str(second))))
    a, b = str(first), str(second)
    stop = standing_stop(reader.stops(), (a, b), config.boards)
    versions = {a, b, *(one for score in scores for one in (score.a, score.b))}
    rating = config.rating
    ratings = rate(
        scores,
        sorted(versions),
        prior=rating.prior,
        confidence=rating.confidence,
        sequential=sequential_match(stop, by_version=True),
    )
    points = sums.points(student(rating.confidence))
    seen = points.of_match(first.name, second.name)
    turned = _turned(points.of_match(second.name, first.name))
    return _Known(
        _score(scores, a, b),
        ratings,
        seen if seen.paired else turned,
        None if stop is None else stop.reason,
    )


def _rows(
    config: Config, reader: Reader, sums: DealSums, wanted: tuple[str, str]
) -> Iterator[GameRow]:
    """Yield the games of all versions that count or did; sum up the deals of the two wanted."""
    for match in sorted(reader.matches()):
        first, second = match
        counting = counting_between(config, reader, match)
        counted = (
            result
            for result in reader.results(match)
            if result.id.board < config.boards and counting.counts(result.id)
        )
        for board in boards(counted):
            if is_complete(board) and set(match) == set(wanted):
                sums.take(match, *map(SeatedGame.of, board))
            yield from (row_of(result, (first, second)) for result in board)


def _score(scores: Sequence[MatchScore], a: str, b: str) -> MatchScore:
    met = (score for score in scores if {score.a, score.b} == {a, b})
    return next((score.seen_from(a) for score in met), MatchScore(a, b, 0, 0, 0))


def _turned(points: PointsPerDeal) -> PointsPerDeal:
    value = points.points.value
    return points._replace(points=points.points._replace(value=None if value is None else -value))


def _comparison(
    config: Config,
    standings: Standings,
    known: _Known,
    versions: tuple[str, str],
    faults: Faults,
) -> Comparison:
    score, ratings, points = known.score, known.ratings, known.points
    a, b = score.a, score.b
    sequential = ratings.sequential
    stopped = sequential is not None and {sequential.a, sequential.b} == {a, b}
    confidence = ratings.confidence
    alone = rate([score], [a, b], confidence=confidence, sequential=sequential if stopped else None)
    if stopped:
        points = points._replace(points=Estimate(points.points.value, None))
    return Comparison(
        tournament=config.name,
        complete=standings.progress.complete is True,
        confidence=confidence,
        a=a,
        b=b,
        versions=versions,
        score=score,
        faults=faults,
        match=alone.difference(a, b),
        bound=alone.of(a).bound,
        ratings=ratings.difference(a, b),
        points=points,
        points_better=_more(points, confidence),
        stopped=stopped,
        stop=known.stop if stopped else None,
        notices=() if stopped else _notices(standings, ratings, a, b),
    )


def _more(points: PointsPerDeal, confidence: float) -> float | None:
    """Return P(more points), by Student's distribution as the interval is."""
    value, error = points.points
    if value is None or error is None:
        return None
    half_width = student(confidence)(points.boards)
    return chance_above(value / error * half_width, points.boards - 1)


def _notices(standings: Standings, ratings: Ratings, a: str, b: str) -> tuple[str, ...]:
    """Return the notices that concern one of the two."""
    said = notices(standings) if ratings is standings.ratings else ratings.notices
    return tuple(one for one in said if _speaks_of(one, a) or _speaks_of(one, b))


def _speaks_of(notice: str, bot: str) -> bool:
    words = notice.replace("(", " ").replace(")", " ").replace(",", " ").replace(":", " ")
    return visible(bot) in words.rstrip(".").split()
