"""What a table cannot say, in sentences: the verdict, and what a person must know."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from arena.ratings.ratings import Ratings
from arena.report.endings import ending_notices
from arena.report.numbers import FEWEST_FREEDOM, half_width, more_boards, points, probability
from arena.report.standings import Alike, Standings
from arena.text import count, visible

_MOST_STRETCHES = 3
_MOST_NAMES = 8
_MOST_COPIES = 3


def notices(standings: Standings) -> tuple[str, ...]:
    """Return what a person must know to read the standings, one sentence each."""
    half = sum(score.half_boards for score in standings.scores)
    withdrawn = [tally for tally in standings.tallies if tally.withdrawn is not None]
    sentences = (
        *ending_notices(standings.ending),
        *standings.ratings.notices,
        *((f"Half played, so not counted: {count(half, 'board')}.",) if half else ()),
        *(
            f"{tally.bot} is {'left out' if tally.left_out else 'withdrawn'}: {tally.withdrawn}."
            for tally in withdrawn
        ),
        *_dropped(standings.progress.dropped or 0),
        *_unknown(standings.points.unknown),
        *_copies(standings.alike),
        *standings.circumstances.warnings(),
    )
    return tuple(visible(sentence) for sentence in sentences)


def seat_remark(standings: Standings) -> str:
    """Say in one line what the seats are worth; empty without a complete board."""
    games, ahead = standings.points.seats
    if games.value is None:
        return ""
    share = f"{50 + 100 * games.value:.1f} %"
    won = share if games.error is None else f"{share} ± {max(100 * games.error, 0.1):.1f}"
    scored = "" if ahead.value is None else f"; {points(*ahead)} points per deal"
    return f"seat 0 against seat 1: won {won} of the games{scored}"


def _copies(alike: Sequence[Alike]) -> Iterator[str]:
    """Ask of the first few; n copies of a bot have n (n - 1) / 2 matches."""
    yield from map(_copy, alike[:_MOST_COPIES])
    if len(alike) > _MOST_COPIES:
        yield f"So do the bots of {count(len(alike) - _MOST_COPIES, 'more match', 'more matches')}."


def _copy(two: Alike) -> str:
    boards = f"{two.seen} boards" if two.seen == two.boards else f"the first {two.seen} boards"
    return (
        f"{two.a} and {two.b} play exactly alike: on {two.same} of {boards} both games went card "
        "for card the same. Are they copies?"
    )


def _unknown(games: int) -> Iterator[str]:
    if games:
        text = "Without points per deal, because they are without deals"
        yield f"{text}: {count(games, 'game')}."


def _dropped(games: int) -> Iterator[str]:
    if games:
        yield f"Of withdrawn bots, and so not played or too late to count: {count(games, 'game')}."


def verdict(standings: Standings) -> str:
    """Say in one paragraph who is first and who cannot be told apart."""
    ratings = standings.ratings
    if not ratings.groups:
        return "No board is complete yet, so there is nothing to rank."
    judged = _judged(ratings)
    boards = _boards_each(standings)
    if len(ratings.groups) == 1:
        return " ".join((*_verdict(ratings, ratings.groups[0].bots, boards), judged))
    parts = [f"The bots fall into {len(ratings.groups)} groups without a common scale."]
    for number, group in enumerate(ratings.groups, start=1):
        parts += [f"Group {number}:", *_verdict(ratings, group.bots, boards)]
    return " ".join((*parts, judged))


def _judged(ratings: Ratings) -> str:
    """Say how sure it is who is separated."""
    together = f"(Who is separated: all together at {ratings.confidence * 100:g} % confidence"
    if ratings.sequential is not None:
        two = f"{visible(ratings.sequential.a)} and {visible(ratings.sequential.b)}"
        together += f", {two} by their test"
    return together + "; ± and P: each on its own.)"


def precision(standings: Standings) -> str:
    """Say what a board is worth; empty where that is not known, or not all are of two games."""
    phi = standings.ratings.phi
    if phi is None or any(score.others for score in standings.scores):
        return ""
    return (
        f"phi {phi:.2f}: a board tells as much as {2 / phi:.1f} games would,"
        " each on cards of its own"
    )


def _boards_each(standings: Standings) -> int | None:
    """Return how many boards each two bots played, if they all played as many."""
    bots = sum(rating.elo is not None for rating in standings.ratings.bots)
    boards = {score.boards for score in standings.scores if score.boards}
    whole = sum(score.boards > 0 for score in standings.scores) == math.comb(bots, 2)
    return boards.pop() if whole and len(boards) == 1 else None


def _verdict(ratings: Ratings, bots: Sequence[str], boards: int | None) -> Iterator[str]:
    first = bots[0]
    rivals = [bot for bot in bots[1:] if not ratings.separated(first, bot)]
    if rivals:
        yield f"No bot is first: {visible(first)} is not separated from {_list(rivals, 'or')}."
    else:
        yield f"{visible(first)} is first{_lead(ratings, first, bots[1])}."
    stretches = [stretch for stretch in _stretches(ratings, bots) if first not in stretch]
    for stretch in stretches[:_MOST_STRETCHES]:
        yield f"{_list(stretch, 'and')} are not separated."
    more = len(stretches) - _MOST_STRETCHES
    if more > 0:
        yield f"Nor are bots further down, in {count(more, 'more place')}."
    yield from _effort(ratings, bots, boards)


def _effort(ratings: Ratings, bots: Sequence[str], boards: int | None) -> Iterator[str]:
    """Say what it would take to separate the first two neighbours that are not."""
    for a, b in pairwise(bots):
        found = ratings.difference(a, b)
        if found is None or found.separated or found.boards_factor is None:
            continue
        if (found.freedom or 0) < FEWEST_FREEDOM:
            return
        pair, factor = f"{visible(a)} and {visible(b)}", found.boards_factor
        needed = more_boards(factor, boards)
        if needed is None:
            yield f"{pair} are too close to be separated by boards within reach."
        else:
            yield (
                f"About {needed} would separate {pair} in half of all cases,"
                " if they are as far apart as it seems."
            )
        return


def _lead(ratings: Ratings, first: str, second: str) -> str:
    """Say by how much, if that is known."""
    lead = ratings.difference(first, second)
    if lead is None or lead.error is None:
        return ""
    chance = f" (P {_equals(probability(lead.better))})" if lead.better is not None else ""
    return f", {lead.elo:.0f} ± {half_width(lead.error)} Elo above {visible(second)}{chance}"


def _equals(shown: str) -> str:
    return f"{shown[0]} {shown[1:]}" if shown[0] in "<>" else f"= {shown}"


def _stretches(ratings: Ratings, bots: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield the longest stretches of neighbours in the table no two of which are separated."""
    end = 0
    for start in range(len(bots)):
        shown, end = end, max(end, start + 1)
        while end < len(bots) and not any(
            ratings.separated(bots[end], bot) for bot in bots[start:end]
        ):
            end += 1
        if end > max(shown, start + 1):
            yield bots[start:end]


def _list(bots: Sequence[str], word: str) -> str:
    shown = [visible(bot) for bot in bots]
    if len(shown) > _MOST_NAMES:
        shown[_MOST_NAMES - 1 :] = [f"{len(shown) - _MOST_NAMES + 1} more"]
    return f" {word} ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)
