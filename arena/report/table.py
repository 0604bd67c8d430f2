"""Standings for people: the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tabulate import tabulate

from arena.ratings.ratings import Ratings
from arena.report.numbers import NOTHING, half_width, percent, points, probability
from arena.report.rankings import BotRow, bot_rows, difference_rows
from arena.report.standings import Standings
from arena.text import visible

_ALIGNMENT = ("left", "left", *("right",) * 6, "left", "right", "right")


def table(standings: Standings) -> str:
    """Return the table as text, without a newline at the end.

    Groups without a common scale are sections of their own, each under a heading.
    """
    confidence = standings.ratings.confidence
    rows = bot_rows(standings)
    groups = len(standings.ratings.groups)
    if groups <= 1:
        return _head(standings.ratings) + _section(rows, confidence)
    sections = [
        f"Group {number + 1} of {groups}, on a scale of its own\n"
        + _section([row for row in rows if row.group == number], confidence)
        for number in range(groups)
    ]
    rest = [row for row in rows if row.group is None]
    if rest:
        sections.append("Without a complete board\n" + _section(rest, confidence))
    return _head(standings.ratings) + "\n\n".join(sections)


def _head(ratings: Ratings) -> str:
    """Say what bends the ratings, above all else."""
    if ratings.prior is None:
        return ""
    return f"With a prior: all bots within a standard deviation of {ratings.prior:g} Elo\n"


def differences(ratings: Ratings) -> str:
    """Return the table of differences as text: A minus B, for each two bots."""
    head = ("A", "B", "A - B", f"±{ratings.confidence * 100:g}%", "P(A better)", "")
    cells = [
        (
            visible(row.a),
            visible(row.b),
            f"{row.elo:+.0f}",
            half_width(row.error),
            probability(row.better),
            "separated" if row.separated else "",
        )
        for row in difference_rows(ratings)
    ]
    if not cells:
        return "No two bots have a common scale yet."
    alignment = ("left", "left", "right", "right", "right", "left")
    return _lines([head, *cells], alignment)


def _section(rows: Sequence[BotRow], confidence: float) -> str:
    head = (
        *("rank", "bot", "Elo", f"±{confidence * 100:g}%", "P(>next)"),
        *("games", "won-lost", "score", "faults"),
        *(f"pts/deal ±{confidence * 100:g}%", "ms/decision"),
    )
    return _lines([head, *(_cells(row) for row in rows)], _ALIGNMENT)


def _lines(rows: Sequence[Sequence[str]], alignment: Sequence[str]) -> str:
    """Set rows out in columns; the head is one of them, as tabulate sets heads further apart."""
    text = tabulate(rows, tablefmt="plain", disable_numparse=True, colalign=alignment)
    return "\n".join(f" {line.rstrip()}" for line in text.splitlines())


def _cells(row: BotRow) -> tuple[str, ...]:
    return (
        NOTHING if row.rank is None else "-".join(str(n) for n in sorted(set(row.rank))),
        visible(row.name),
        NOTHING if row.elo is None else f"{row.bound or ''}{row.elo:.0f}",
        half_width(row.error),
        probability(row.better_than_next),
        str(row.games),
        f"{row.won}-{row.lost}" if row.games else NOTHING,
        percent(row.won, row.games),
        _faults(row.faults) + _absence(row),
        points(row.points_per_deal, row.points_per_deal_error),
        NOTHING if row.ms_per_decision is None else f"{row.ms_per_decision:.2f}",
    )


def _absence(row: BotRow) -> str:
    if row.withdrawn is None:
        return ""
    return ", left out" if row.left_out else ", withdrawn"


def _faults(faults: Mapping[str, int]) -> str:
    kinds = sorted((-n, kind) for kind, n in faults.items() if n)
    if not kinds:
        return "0"
    return f"{-sum(n for n, _ in kinds)}  ({', '.join(f'{-n} {kind}' for n, kind in kinds)})"
