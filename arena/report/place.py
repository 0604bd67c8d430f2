"""Where one bot stands, in a sentence."""

from __future__ import annotations

from arena.report.rankings import bot_rows
from arena.report.standings import Standings
from arena.text import visible


def place(standings: Standings, bot: str) -> str:
    """Say in one sentence where a bot stands."""
    rows = bot_rows(standings)
    (row,) = [one for one in rows if one.name == bot]
    shown = visible(row.version or row.name)
    if row.rank is None or row.elo is None:
        why = visible(row.withdrawn or "it has played no complete board")
        return f"{shown} has no rank: {why}"
    rivals = sum(one.group == row.group for one in rows)
    low, high = row.rank
    rank = f"rank {low}" if low == high else f"rank {low} to {high}"
    error = "" if row.error is None else f" ± {row.error:.0f}"
    return f"{shown} has {rank} of {rivals}, at {row.bound or ''}{row.elo:.0f}{error} Elo"
