"""Standings for people: the table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from tabulate import tabulate

from arena.ratings.ratings import Ratings
from arena.report.numbers import NOTHING, by_kind, half_width, percent, points, probability
from arena.report.rankings import BotRow, bot_rows, difference_rows
from arena.report.standings import Standings
from arena.text import visible


class _Column(NamedTuple):
    """One column of the table of bots."""

    head: str
    alignment: str
    cell: Callable[[BotRow], str]
    is_always: bool = True
    """Whether it is there even if nothing is known of any bot."""


def table(standings: Standings) -> str:
    """Return the table as text, without a newline at the end.

    Groups without a common scale are sections of their own, each under a heading.
    """
    rows = bot_rows(standings)
    columns = tuple(_columns(rows, standings.ratings.confidence))
    groups = len(standings.ratings.groups)
    if groups <= 1:
        return _head(standings.ratings) + _section(rows, columns)
    sections = [
        f"Group {number + 1} of {groups}, on a scale of its own\n"
        + _section([row for row in rows if row.group == number], columns)
        for number in range(groups)
    ]
    rest = [row for row in rows if row.group is None]
    if rest:
        sections.append("Without a complete board\n" + _section(rest, columns))
    return _head(standings.ratings) + "\n\n".join(sections)


def _head(ratings: Ratings) -> str:
    """Say what bends the ratings, above all else."""
    if ratings.prior is None:
        return ""
    return f"With a prior: ratings are taken to scatter by {ratings.prior:g} Elo\n"


def differences(ratings: Ratings) -> str:
    """Return the table of differences as text: A minus B, for each two bots."""
    head = ("A", "B", "A - B", f"±{ratings.confidence * 100:g}%", "P(A better)", "separated")
    cells = [
        (
            visible(row.a),
            visible(row.b),
            f"{row.elo:+.0f}",
            half_width(row.error),
            probability(row.better),
            "yes" if row.separated else NOTHING,
        )
        for row in difference_rows(ratings)
    ]
    if not cells:
        return "No two bots have a common scale yet."
    alignment = ("left", "left", "right", "right", "right", "left")
    return _lines([head, *cells], alignment)


def _columns(rows: Sequence[BotRow], confidence: float) -> Iterator[_Column]:
    """Yield the columns that tell something of any of `rows`."""
    has_draws = any(row.drawn for row in rows)
    interval = f"±{confidence * 100:g}%"
    every = (
        _Column("rank", "left", _rank),
        _Column("bot", "left", lambda row: visible(row.name)),
        _Column("Elo", "right", _elo),
        _Column(interval, "right", lambda row: half_width(row.error)),
        _Column("P(>next)", "right", lambda row: probability(row.better_than_next)),
        _Column("games", "right", lambda row: str(row.games)),
        _Column("won-lost-drawn", "right", _won_lost_drawn)
        if has_draws
        else _Column("won-lost", "right", _won_lost),
        _Column("score", "right", lambda row: percent(row.won + row.drawn / 2, row.games)),
        _Column("faults", "left", _faults, is_always=False),
        _Column(f"pts/deal {interval}", "right", _points_per_deal, is_always=False),
        _Column("ms/decision", "right", _ms_per_decision, is_always=False),
    )
    for column in every:
        if column.is_always or any(column.cell(row) != NOTHING for row in rows):
            yield column


def _section(rows: Sequence[BotRow], columns: Sequence[_Column]) -> str:
    head = [column.head for column in columns]
    cells = ([column.cell(row) for column in columns] for row in rows)
    return _lines([head, *cells], [column.alignment for column in columns])


def _lines(rows: Sequence[Sequence[str]], alignment: Sequence[str]) -> str:
    """Set rows out in columns; the head is one of them, as tabulate sets heads further apart."""
    text = tabulate(rows, tablefmt="plain", disable_numparse=True, colalign=alignment)
    return "\n".join(f" {line.rstrip()}" for line in text.splitlines())


def _rank(row: BotRow) -> str:
    return NOTHING if row.rank is None else "-".join(str(n) for n in sorted(set(row.rank)))


def _elo(row: BotRow) -> str:
    return NOTHING if row.elo is None else f"{row.bound or ''}{row.elo:.0f}"


def _won_lost(row: BotRow) -> str:
    return f"{row.won}-{row.lost}" if row.games else NOTHING


def _won_lost_drawn(row: BotRow) -> str:
    return f"{_won_lost(row)}-{row.drawn}" if row.games else NOTHING


def _faults(row: BotRow) -> str:
    """Show how many, of which kinds, and whether the bot plays on; nothing if nobody knows."""
    if row.faults is None:
        return NOTHING
    number = sum(row.faults.values())
    return (f"{number}  ({by_kind(row.faults)})" if number else "0") + _absence(row)


def _absence(row: BotRow) -> str:
    if row.withdrawn is None:
        return ""
    return ", left out" if row.left_out else ", withdrawn"


def _points_per_deal(row: BotRow) -> str:
    return points(row.points_per_deal, row.points_per_deal_error)


def _ms_per_decision(row: BotRow) -> str:
    return NOTHING if row.ms_per_decision is None else f"{row.ms_per_decision:.2f}"
