"""Two bots beside each other: in a few lines for people, as JSON for programs, in a sentence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import msgspec
from tabulate import tabulate

from arena.ratings.points import PointsPerDeal
from arena.ratings.ratings import Bound, Difference
from arena.ratings.scores import MatchScore
from arena.report.numbers import (
    FEWEST_FREEDOM,
    by_kind,
    half_width,
    more_boards,
    percent,
    points,
    probability,
    rounded,
)
from arena.text import count, visible

Faults = tuple[Mapping[str, int], Mapping[str, int]]
"""How many games each of the two lost by faults, by their kinds."""


@dataclass(frozen=True)
class Comparison:
    """What is known of two bots of a tournament; everything is the first minus the second."""

    tournament: str
    complete: bool
    """Whether every scheduled game is played or settled."""
    confidence: float
    a: str
    """As it is shown: a name, or a version if that is not the present one."""
    b: str
    versions: tuple[str, str]
    score: MatchScore
    """Of the match between the two, from the view of `a`; without a board if they never met."""
    faults: Faults
    """In the games of that score."""
    match: Difference | None
    """In a rating of that match alone."""
    bound: Bound | None
    """Of that difference, if one of the two won every game."""
    ratings: Difference | None
    """In the rating of all matches; None without a common scale."""
    points: PointsPerDeal
    """Of the match between the two."""
    points_better: float | None
    """P(`a` scores more points), by the points alone."""
    stopped: bool
    """Whether the results of their match decided when it ended: no interval is told then."""
    stop: str | None = None
    """What was decided by that, in a sentence."""
    notices: tuple[str, ...] = ()


class ComparedMatch(msgspec.Struct, frozen=True):
    """The match between the two in the JSON object; counts are `a`'s."""

    boards: int
    games: int
    won: int
    lost: int
    won_both: int
    split: int
    lost_both: int
    half_boards: int
    faults: Faults
    """Of `a` and of `b`: games lost by a fault, by its kind."""
    elo: float | None
    error: float | None
    better: float | None
    bound: Bound | None
    """Of `elo`, if one of the two won every game."""


class ComparedRatings(msgspec.Struct, frozen=True):
    """The difference of the two ratings, by all matches."""

    elo: float | None
    error: float | None
    better: float | None
    settled: bool
    """Whether the interval leaves out 0."""
    boards_factor: float | None
    """If not: so many times the boards would settle it, if the difference is what it seems."""


class ComparedPoints(msgspec.Struct, frozen=True):
    """Points per deal between the two, over deals that both games of a board finished."""

    per_deal: float | None
    error: float | None
    better: float | None
    paired_deals: int


class Compared(msgspec.Struct, frozen=True):
    """The JSON object ``arena.compare/1``; numbers are finite or null."""

    schema: str
    tournament: str
    complete: bool
    confidence: float
    a: str
    b: str
    versions: tuple[str, str]
    match: ComparedMatch
    ratings: ComparedRatings
    points: ComparedPoints
    stopped: bool
    """Whether the match was ended by its results, so that intervals would be naive."""
    verdict: str
    notices: tuple[str, ...]


def compared(found: Comparison) -> Compared:
    """Return what ``--json`` prints."""
    score, match, ratings = found.score, found.match, found.ratings
    return Compared(
        schema="arena.compare/1",
        tournament=found.tournament,
        complete=found.complete,
        confidence=found.confidence,
        a=found.a,
        b=found.b,
        versions=found.versions,
        match=ComparedMatch(
            score.boards,
            score.games,
            score.won,
            score.lost,
            score.won_both,
            score.split,
            score.lost_both,
            score.half_boards,
            found.faults,
            *_figures(match),
            found.bound,
        ),
        ratings=ComparedRatings(
            *_figures(ratings),
            settled=ratings is not None and ratings.is_settled,
            boards_factor=rounded(_factor(ratings), 2),
        ),
        points=ComparedPoints(
            rounded(found.points.points.value, 4),
            rounded(found.points.points.error, 4),
            rounded(found.points_better, 6),
            found.points.paired,
        ),
        stopped=found.stopped,
        verdict=verdict(found),
        notices=tuple(visible(notice) for notice in found.notices),
    )


def _figures(one: Difference | None) -> tuple[float | None, float | None, float | None]:
    if one is None:
        return None, None, None
    return rounded(one.elo, 2), rounded(one.error, 2), rounded(one.better, 6)


def _factor(one: Difference | None) -> float | None:
    if one is None or one.error is None or one.is_settled or not one.elo:
        return None
    return (one.error / one.elo) ** 2


def text(found: Comparison) -> str:
    """Return the lines for people, without a newline at the end."""
    head = f"{visible(found.a)} minus {visible(found.b)}, {found.confidence * 100:g} % intervals"
    rows = [*_elo_rows(found), *_points_row(found)]
    if not rows:
        return head
    lines = tabulate(rows, tablefmt="plain", disable_numparse=True).splitlines()
    return "\n".join((head, *_match(found), *(f" {line.rstrip()}" for line in lines)))


def _match(found: Comparison) -> Iterator[str]:
    score = found.score
    if not score.boards:
        yield " they have played no complete board against each other"
        return
    share = percent(score.won, score.games)
    yield (
        f" {count(score.boards, 'board')}, {count(score.games, 'game')}:"
        f" {score.won}-{score.lost} ({share});"
        f" both won on {score.won_both}, one on {score.split}, none on {score.lost_both}"
    )
    for bot, faults in zip((found.a, found.b), found.faults, strict=True):
        if lost := sum(faults.values()):
            games = count(score.games, "game")
            yield f" {visible(bot)} lost {lost} of {games} by a fault: {by_kind(faults)}"


def _elo_rows(found: Comparison) -> Iterator[tuple[str, ...]]:
    if found.match is not None:
        yield _elo_row("Elo, this match", found.bound or "", found.match)
    if found.ratings is not None:
        yield _elo_row("Elo, all matches", "", found.ratings)


def _elo_row(label: str, bound: str, one: Difference) -> tuple[str, ...]:
    shown = f"{bound}{one.elo:+.0f} ± {half_width(one.error)}"
    return label, shown, f"P(better) {probability(one.better)}"


def _points_row(found: Comparison) -> Iterator[tuple[str, ...]]:
    value, error = found.points.points
    if value is not None:
        chance = f"P(more) {probability(found.points_better)}"
        deals = f"{count(found.points.paired, 'deal')} played both ways"
        yield "points per deal", points(value, error), f"{chance}, {deals}"


def verdict(found: Comparison) -> str:
    """Say in a sentence or two which one is better, or what it would take to know."""
    one, a, b = found.ratings, visible(found.a), visible(found.b)
    if found.stop is not None:
        return found.stop
    if one is None:
        return f"{a} and {b} have no common scale: no games link them, not even through others."
    if one.error is None:
        return f"How sure the difference between {a} and {b} is cannot be told."
    if one.is_settled:
        better, worse = (a, b) if one.elo > 0 else (b, a)
        chance = one.better if one.elo > 0 or one.better is None else 1 - one.better
        return (
            f"{better} is better than {worse}, by {abs(one.elo):.0f} ± {half_width(one.error)} Elo"
            f" (P(better) {probability(chance)})."
        )
    return " ".join((f"Which of {a} and {b} is better is not settled.", *_effort(found, one)))


def _effort(found: Comparison, one: Difference) -> Iterator[str]:
    factor = _factor(one)
    if not found.score.boards:
        yield "`arena match` plays two bots against each other."
    if factor is not None and found.score.boards and (one.freedom or 0) >= FEWEST_FREEDOM:
        needed = more_boards(factor, found.score.boards)
        if needed is None:
            yield "They are too close for boards within reach."
        else:
            yield (
                f"About {needed} would settle it in half of all cases,"
                " if they are as far apart as it seems."
            )
    value, error = found.points.points
    if value is not None and error is not None and abs(value) > error:
        ahead = visible(found.a if value > 0 else found.b)
        yield f"By points per deal, which tell sooner but are not what ranks, {ahead} is ahead."
