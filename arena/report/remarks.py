"""What a table cannot say, in sentences: the verdict, and what a person must know."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from arena.ratings.ratings import Ratings
from arena.report.numbers import half_width
from arena.report.standings import Standings
from arena.text import count, visible

_MOST_RUNS = 3
_MOST_NAMES = 8


def notices(standings: Standings) -> tuple[str, ...]:
    """Return what a person must know to read the standings, one sentence each."""
    half = sum(score.half_boards for score in standings.scores)
    withdrawn = [tally for tally in standings.tallies if tally.withdrawn is not None]
    sentences = (
        *standings.ratings.notices,
        *((f"Half played, so not counted: {count(half, 'board')}.",) if half else ()),
        *(
            f"{tally.bot} is {'left out' if tally.left_out else 'withdrawn'}: {tally.withdrawn}."
            for tally in withdrawn
        ),
        *_dropped(standings.progress.dropped),
        *standings.circumstances.warnings(),
    )
    return tuple(visible(sentence) for sentence in sentences)


def _dropped(games: int) -> Iterator[str]:
    if games:
        yield f"Of withdrawn bots, and so not played or too late to count: {count(games, 'game')}."


def verdict(standings: Standings) -> str:
    """Say in one paragraph who is first and who cannot be told apart."""
    ratings = standings.ratings
    if not ratings.groups:
        return "No board is complete yet, so there is nothing to rank."
    judged = f"(Each two bots judged on their own at {ratings.confidence * 100:g} % confidence.)"
    if len(ratings.groups) == 1:
        return " ".join((*_verdict(ratings, ratings.groups[0].bots), judged))
    parts = [f"The bots fall into {len(ratings.groups)} groups without a common scale."]
    for number, group in enumerate(ratings.groups, start=1):
        parts += [f"Group {number}:", *_verdict(ratings, group.bots)]
    return " ".join((*parts, judged))


def _verdict(ratings: Ratings, bots: Sequence[str]) -> Iterator[str]:
    first = bots[0]
    rivals = [bot for bot in bots[1:] if not ratings.separated(first, bot)]
    if rivals:
        yield f"No bot is first: {visible(first)} is not separated from {_list(rivals, 'or')}."
    else:
        yield f"{visible(first)} is first{_lead(ratings, first, bots[1])}."
    runs = [run for run in _runs(ratings, bots) if first not in run]
    for run in runs[:_MOST_RUNS]:
        yield f"{_list(run, 'and')} are not separated."
    if len(runs) > _MOST_RUNS:
        yield f"Nor are the bots of {count(len(runs) - _MOST_RUNS, 'more run')} further down."


def _lead(ratings: Ratings, first: str, second: str) -> str:
    """Say by how much, if that is known."""
    lead = ratings.difference(first, second)
    if lead is None or lead.error is None:
        return ""
    return f", {lead.elo:.0f} ± {half_width(lead.error)} Elo above {visible(second)}"


def _runs(ratings: Ratings, bots: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield the longest runs of neighbours in the table no two of which are separated."""
    shown = 0
    for start in range(len(bots)):
        end = start + 1
        while end < len(bots) and not any(
            ratings.separated(bots[end], bot) for bot in bots[start:end]
        ):
            end += 1
        if end > max(shown, start + 1):
            shown = end
            yield bots[start:end]


def _list(bots: Sequence[str], word: str) -> str:
    shown = [visible(bot) for bot in bots]
    if len(shown) > _MOST_NAMES:
        shown[_MOST_NAMES - 1 :] = [f"{len(shown) - _MOST_NAMES + 1} more"]
    return f" {word} ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)
