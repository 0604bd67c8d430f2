"""Standings for people: the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tabulate import tabulate

from arena.report.numbers import NOTHING, half_width, percent
from arena.report.rankings import BotRow, bot_rows
from arena.report.standings import Standings
from arena.text import visible

_ALIGNMENT = ("left", "left", "right", "right", "right", "right", "right", "left", "right")


def table(standings: Standings) -> str:
    """Return the table as text, without a newline at the end.

    Groups without a common scale are sections of their own, each under a heading.
    """
    confidence = standings.ratings.confidence
    rows = bot_rows(standings)
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
        NOTHING if row.rank is None else "-".join(str(n) for n in sorted(set(row.rank))),
        visible(row.name),
        NOTHING if row.elo is None else f"{row.bound or ''}{row.elo:.0f}",
        half_width(row.error),
        str(row.games),
        f"{row.won}-{row.lost}" if row.games else NOTHING,
        percent(row.won, row.games),
        _faults(row.faults) + _absence(row),
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
