"""The standings of a tournament: as a table for people, as JSON for programs, in a sentence.

Only showing lives here. Ratings, scores and faults come in counted; what is shown of games is
what the ratings rest on: complete boards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import msgspec
from tabulate import tabulate

from arena.ratings.ratings import Bound, Ratings
from arena.ratings.scores import MatchScore
from arena.report.circumstances import Circumstances, Lag
from arena.text import count, visible

_NOTHING = "-"
_ALIGNMENT = ("left", "left", "right", "right", "right", "right", "right", "left", "right")
_MOST_RUNS = 3
_MOST_NAMES = 8


@dataclass(frozen=True)
class Progress:
    """How far a tournament is."""

    tournament: str
    complete: bool
    """Every scheduled game is played or settled."""
    games: int
    """Finished games that count."""
    scheduled: int
    void: int
    """Games that stay void."""
    dropped: int
    """Games of withdrawn bots that are not played, or do not count."""
    commitment: str
    """SHA-256 of the secret that all cards come from, lower-case hex."""
    closed: bool
    """Whether a drawn secret is revealed, so that nothing more is played."""


@dataclass(frozen=True)
class Tally:
    """What is shown of a bot beside its results."""

    bot: str
    """Its name, as in scores and ratings."""
    version: str
    """Its version, such as ``a@1``."""
    faults: Mapping[str, int]
    """How many of each kind."""
    ms_per_decision: float | None
    cpu_ms_per_decision: float | None
    """CPU time of all its processes; None: it was not measured."""
    withdrawn: str | None
    """Why it does not play."""
    left_out: bool = False
    """Whether that is so for the last run only, which could not start it."""


@dataclass(frozen=True)
class Standings:
    """All that is shown; each bot of `ratings` has its tally."""

    progress: Progress
    tallies: tuple[Tally, ...]
    scores: tuple[MatchScore, ...]
    ratings: Ratings
    circumstances: Circumstances


class BotRow(msgspec.Struct, frozen=True):
    """One bot in the JSON object (contracts, 6); numbers are finite or null."""

    name: str
    version: str
    rank: tuple[int, int] | None
    """In its group; null, as are `elo`, `score` and `group`, without a complete board."""
    elo: float | None
    error: float | None
    """Half width of the interval; null at a bound and where nothing is known of it."""
    bound: Bound | None
    games: int
    won: int
    lost: int
    score: float | None
    faults: dict[str, int]
    withdrawn: str | None
    left_out: bool
    group: int | None
    """Elo and ranks of different groups cannot be compared."""
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
    half_boards: int
    """Boards left out because only one of their games is finished."""


class Rankings(msgspec.Struct, frozen=True):
    """The JSON object ``arena.rankings/1``; fields may be added, none changes its meaning."""

    schema: str
    tournament: str
    complete: bool
    games: int
    scheduled: int
    confidence: float
    bots: tuple[BotRow, ...]
    """In the order of the table."""
    matches: tuple[MatchRow, ...]
    void: int
    dropped: int
    """Games of withdrawn bots that are not played, or do not count."""
    commitment: str
    closed: bool
    phi: float | None
    """Variance of a board's score over that of two independent games."""
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
        bots=_bot_rows(standings),
        matches=tuple(
            MatchRow(s.a, s.b, s.boards, s.won_both, s.split, s.lost_both, s.half_boards)
            for s in standings.scores
        ),
        void=progress.void,
        dropped=progress.dropped,
        commitment=progress.commitment,
        closed=progress.closed,
        phi=_rounded(ratings.phi, 4),
        notices=notices(standings),
        isolation=dict(standings.circumstances.isolation),
        pondering=dict(standings.circumstances.pondering),
        lag_ms=standings.circumstances.lag,
        inspection=standings.circumstances.inspection,
    )


def _bot_rows(standings: Standings) -> tuple[BotRow, ...]:
    tallies = {tally.bot: tally for tally in standings.tallies}
    won = Counter[str]()
    lost = Counter[str]()
    for score in standings.scores:
        won.update({score.a: score.won, score.b: score.lost})
        lost.update({score.a: score.lost, score.b: score.won})
    return tuple(
        BotRow(
            name=rating.bot,
            version=tallies[rating.bot].version,
            rank=rating.rank,
            elo=_rounded(rating.elo, 2),
            error=_rounded(rating.error, 2),
            bound=rating.bound,
            games=won[rating.bot] + lost[rating.bot],
            won=won[rating.bot],
            lost=lost[rating.bot],
            score=_share(won[rating.bot], lost[rating.bot]),
            faults=dict(sorted(tallies[rating.bot].faults.items())),
            withdrawn=tallies[rating.bot].withdrawn,
            left_out=tallies[rating.bot].left_out,
            group=rating.group,
            ms_per_decision=_rounded(tallies[rating.bot].ms_per_decision, 3),
            cpu_ms_per_decision=_rounded(tallies[rating.bot].cpu_ms_per_decision, 3),
        )
        for rating in standings.ratings.bots
    )


def _rounded(number: float | None, digits: int) -> float | None:
    """Round for programs; adding 0 makes -0.0 a plain zero."""
    return None if number is None else round(number, digits) + 0.0


def _share(won: int, lost: int) -> float | None:
    return round(won / (won + lost), 4) if won + lost else None


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


def table(standings: Standings) -> str:
    """Return the table as text, without a newline at the end.

    Groups without a common scale are sections of their own, each under a heading.
    """
    confidence = standings.ratings.confidence
    rows = _bot_rows(standings)
    groups = len(standings.ratings.groups)
    if groups <= 1:
        return _section(rows, confidence)
    sections = [
        f"Group {number + 1} of {groups}, on a scale of its own\n"
        + _section([row for row in rows if row.group == number], confidence)
        for number in range(groups)
    ]
    rest = [row for row in rows if row.group is None]
    if rest:
        sections.append("Without a complete board\n" + _section(rest, confidence))
    return "\n\n".join(sections)


def _section(rows: Sequence[BotRow], confidence: float) -> str:
    head = (
        *("rank", "bot", "Elo", f"±{confidence * 100:g}%"),
        *("games", "won-lost", "score", "faults", "ms/decision"),
    )
    # The head is a row like the others, because tabulate sets heads further apart.
    text = tabulate(
        [head, *(_cells(row) for row in rows)],
        tablefmt="plain",
        disable_numparse=True,
        colalign=_ALIGNMENT,
    )
    return "\n".join(f" {line.rstrip()}" for line in text.splitlines())


def _cells(row: BotRow) -> tuple[str, ...]:
    return (
        _NOTHING if row.rank is None else "-".join(str(n) for n in sorted(set(row.rank))),
        visible(row.name),
        _NOTHING if row.elo is None else f"{row.bound or ''}{row.elo:.0f}",
        _error(row.error),
        str(row.games),
        f"{row.won}-{row.lost}" if row.games else _NOTHING,
        _percent(row.won, row.games),
        _faults(row.faults) + _absence(row),
        _NOTHING if row.ms_per_decision is None else f"{row.ms_per_decision:.2f}",
    )


def _absence(row: BotRow) -> str:
    if row.withdrawn is None:
        return ""
    return ", left out" if row.left_out else ", withdrawn"


def _error(error: float | None) -> str:
    """Show only an anchor as exact."""
    if not error:
        return _NOTHING if error is None else "0"
    return f"{max(error, 1):.0f}"


def _percent(won: int, games: int) -> str:
    """Show 0 and 100 only for none and all."""
    if not games:
        return _NOTHING
    percent = 100 * won / games
    return f"{percent if won in (0, games) else min(max(percent, 1), 99):.0f} %"


def _faults(faults: Mapping[str, int]) -> str:
    kinds = sorted((-n, kind) for kind, n in faults.items() if n)
    if not kinds:
        return "0"
    return f"{-sum(n for n, _ in kinds)}  ({', '.join(f'{-n} {kind}' for n, kind in kinds)})"


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
    return f", {lead.elo:.0f} ± {_error(lead.error)} Elo above {visible(second)}"


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
