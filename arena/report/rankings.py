"""Standings for programs: the JSON object that ``--json`` prints. No layout lives here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations, pairwise

import msgspec

from arena.ratings.points import PointsPerDeal
from arena.ratings.ratings import Bound, Misfit, Ratings
from arena.ratings.scores import MatchScore
from arena.ratings.seats import SeatBias
from arena.report.circumstances import Lag
from arena.report.endings import SprtRow, StopRow
from arena.report.numbers import rounded
from arena.report.remarks import notices
from arena.report.standings import Standings


class BotRow(msgspec.Struct, frozen=True):
    """One bot in the JSON object (contracts, 6); numbers are finite or null."""

    name: str
    version: str | None
    rank: tuple[int, int] | None
    """In its group; null, as are `elo`, `score` and `group`, without a complete board."""
    elo: float | None
    error: float | None
    """Half width of the interval; null at a bound and where nothing is known of it."""
    bound: Bound | None
    better_than_next: float | None
    """P(it is better than the bot in the next row); null at a bound and at the end of a group."""
    games: int
    won: int
    lost: int
    drawn: int
    score: float | None
    faults: dict[str, int] | None
    """By kind; null where nobody knows."""
    withdrawn: str | None
    left_out: bool
    group: int | None
    """Elo and ranks of different groups cannot be compared."""
    points_per_deal: float | None
    """Points ahead of whom it played, over paired deals."""
    points_per_deal_error: float | None
    paired_deals: int
    ms_per_decision: float | None
    cpu_ms_per_decision: float | None


class MatchRow(msgspec.Struct, frozen=True):
    """One match in the JSON object, counted in boards; `won_both` is `a`'s."""

    a: str
    b: str
    boards: int
    won_both: int
    split: int
    lost_both: int
    won: int
    """Games that `a` won on complete boards."""
    lost: int
    drawn: int
    half_boards: int
    """Boards left out because only one of their games is finished."""
    points_per_deal: float | None
    """Of `a`, ahead of `b`."""
    points_per_deal_error: float | None
    paired_deals: int


class SeatBiasRow(msgspec.Struct, frozen=True):
    """How much better seat 0 did than seat 1; errors are half widths."""

    games: float | None
    """The share of games that it won, less one half."""
    games_error: float | None
    points_per_deal: float | None
    points_per_deal_error: float | None


class DifferenceRow(msgspec.Struct, frozen=True):
    """`a` minus `b` in the JSON object: two bots with a common scale, `a` further up."""

    a: str
    b: str
    elo: float
    error: float | None
    """Half width of the interval of this difference, from the full covariance."""
    better: float | None
    """P(`a` is better)."""
    separated: bool
    """Whether `a` is better for sure, all claims of the table together."""
    boards_factor: float | None
    """So many times the boards would separate them, if they differ as much as it seems."""


class MisfitRow(msgspec.Struct, frozen=True):
    """A match that came out otherwise than its ratings say."""

    a: str
    b: str
    games: int
    won: float
    """Games that `a` won."""
    expected: float
    standard_errors: float
    chance: float
    """Of so large a misfit in any match, if one number for each bot told all (Holm)."""


class Rankings(msgspec.Struct, frozen=True):
    """The JSON object ``arena.rankings/1``; fields may be added, none changes its meaning."""

    schema: str
    tournament: str | None
    complete: bool | None
    games: int
    scheduled: int | None
    confidence: float
    bots: tuple[BotRow, ...]
    """In the order of the table."""
    matches: tuple[MatchRow, ...]
    void: int | None
    dropped: int | None
    """Games of withdrawn bots that are not played, or do not count."""
    not_needed: int | None
    """Games after a stop: not played, or too late to count."""
    stop: StopRow | None
    """Why the tournament ended before its last board."""
    sprt: SprtRow | None
    """How the test of `stop.sprt` stands, or how it ended the tournament."""
    commitment: str | None
    closed: bool | None
    phi: float | None
    """Variance of a board's score over that of two independent games."""
    prior: float | None
    """Standard deviation of the prior in Elo, if there is one."""
    differences: tuple[DifferenceRow, ...]
    """Each two bots with a common scale."""
    misfits: tuple[MisfitRow, ...]
    """The matches that fit worst."""
    seat_bias: SeatBiasRow
    notices: tuple[str, ...]
    isolation: dict[str, int]
    """Games that count, by level."""
    pondering: dict[str, int]
    lag_ms: Lag | None
    inspection: str | None
    """Digest of what the last run found when it looked whether its level of isolation holds."""


def rankings(standings: Standings) -> Rankings:
    """Return what ``--json`` prints; Elo to two decimals."""
    progress, ratings = standings.progress, standings.ratings
    return Rankings(
        schema="arena.rankings/1",
        tournament=progress.tournament,
        complete=progress.complete,
        games=progress.games,
        scheduled=progress.scheduled,
        confidence=ratings.confidence,
        bots=bot_rows(standings),
        matches=tuple(
            _match_row(score, standings.points.of_match(score.a, score.b))
            for score in standings.scores
        ),
        void=progress.void,
        dropped=progress.dropped,
        not_needed=standings.ending.not_needed,
        stop=standings.ending.stop,
        sprt=standings.ending.sprt,
        commitment=progress.commitment,
        closed=progress.closed,
        phi=rounded(ratings.phi, 4),
        prior=ratings.prior,
        differences=tuple(difference_rows(ratings)),
        misfits=tuple(_misfit_row(one) for one in ratings.misfits),
        seat_bias=_seat_bias(standings.points.seats),
        notices=notices(standings),
        isolation=dict(standings.circumstances.isolation),
        pondering=dict(standings.circumstances.pondering),
        lag_ms=standings.circumstances.lag,
        inspection=standings.circumstances.inspection,
    )


def _match_row(score: MatchScore, points: PointsPerDeal) -> MatchRow:
    return MatchRow(
        a=score.a,
        b=score.b,
        boards=score.boards,
        won_both=score.won_both,
        split=score.split,
        lost_both=score.lost_both,
        won=score.won,
        lost=score.lost,
        drawn=score.drawn,
        half_boards=score.half_boards,
        points_per_deal=rounded(points.points.value, 4),
        points_per_deal_error=rounded(points.points.error, 4),
        paired_deals=points.paired,
    )


def _seat_bias(seats: SeatBias) -> SeatBiasRow:
    return SeatBiasRow(
        games=rounded(seats.games.value, 4),
        games_error=rounded(seats.games.error, 4),
        points_per_deal=rounded(seats.points.value, 4),
        points_per_deal_error=rounded(seats.points.error, 4),
    )


def bot_rows(standings: Standings) -> tuple[BotRow, ...]:
    """Return a row for each bot, in the order of the table."""
    tallies = {tally.bot: tally for tally in standings.tallies}
    won, lost, drawn = Counter[str](), Counter[str](), Counter[str]()
    for score in standings.scores:
        won.update({score.a: score.won, score.b: score.lost})
        lost.update({score.a: score.lost, score.b: score.won})
        drawn.update({score.a: score.drawn, score.b: score.drawn})
    following = dict(pairwise(rating.bot for rating in standings.ratings.bots))
    points = {bot: standings.points.of_bot(bot) for bot in tallies}
    return tuple(
        BotRow(
            name=rating.bot,
            version=tallies[rating.bot].version,
            rank=rating.rank,
            elo=rounded(rating.elo, 2),
            error=rounded(rating.error, 2),
            bound=rating.bound,
            better_than_next=_better(standings.ratings, rating.bot, following.get(rating.bot)),
            games=won[rating.bot] + lost[rating.bot] + drawn[rating.bot],
            won=won[rating.bot],
            lost=lost[rating.bot],
            drawn=drawn[rating.bot],
            score=_share(won[rating.bot], lost[rating.bot], drawn[rating.bot]),
            faults=_sorted(tallies[rating.bot].faults),
            withdrawn=tallies[rating.bot].withdrawn,
            left_out=tallies[rating.bot].left_out,
            group=rating.group,
            points_per_deal=rounded(points[rating.bot].points.value, 4),
            points_per_deal_error=rounded(points[rating.bot].points.error, 4),
            paired_deals=points[rating.bot].paired,
            ms_per_decision=rounded(tallies[rating.bot].ms_per_decision, 3),
            cpu_ms_per_decision=rounded(tallies[rating.bot].cpu_ms_per_decision, 3),
        )
        for rating in standings.ratings.bots
    )


def difference_rows(ratings: Ratings) -> Iterator[DifferenceRow]:
    """Yield the difference of each two bots that have a common scale, in the table's order."""
    for a, b in combinations([rating.bot for rating in ratings.bots], 2):
        found = ratings.difference(a, b)
        if found is not None:
            yield DifferenceRow(
                a,
                b,
                round(found.elo, 2) + 0.0,
                rounded(found.error, 2),
                rounded(found.better, 6),
                found.separated,
                rounded(found.boards_factor, 2),
            )


def _better(ratings: Ratings, bot: str, following: str | None) -> float | None:
    found = None if following is None else ratings.difference(bot, following)
    return None if found is None else rounded(found.better, 6)


def _misfit_row(one: Misfit) -> MisfitRow:
    expected, errors = round(one.expected, 2), round(one.standard_errors, 4)
    return MisfitRow(one.a, one.b, one.games, one.won, expected, errors, one.chance)


def _sorted(faults: Mapping[str, int] | None) -> dict[str, int] | None:
    return None if faults is None else dict(sorted(faults.items()))


def _share(won: int, lost: int, drawn: int) -> float | None:
    games = won + lost + drawn
    return round((won + drawn / 2) / games, 4) if games else None
