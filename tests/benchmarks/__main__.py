"""How fast the arena is, beside what limits it: ``python -m tests.benchmarks``.

One table, all its rows measured interleaved in one run, because only ratios mean anything on a
shared machine: decisions and games per second of whole tournaments between two random bots, R
(the same bytes as raw ZeroMQ ping-pong, both ends on one core) and the rules alone in one process.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable

import click
from tabulate import tabulate

from tests.benchmarks.engine import play_in_process
from tests.benchmarks.pingpong import ping_pong
from tests.benchmarks.tournament import TournamentSpeed, play_tournament

_BOARDS = {1: 200, 16: 1000, 64: 10_000}
"""Boards by number of tables: each row takes some seconds."""


@click.command()
@click.option("--rounds", default=3, show_default=True, help="Measurements of each row.")
@click.option("--workers", default=2, show_default=True)
@click.option("--scale", default=1.0, show_default=True, help="Length of each measurement.")
def main(rounds: int, workers: int, scale: float) -> None:
    """Measure everything `rounds` times in turn and print the medians."""
    raw: list[float] = []
    engine: list[TournamentSpeed] = []
    speeds: dict[int, list[TournamentSpeed]] = {tables: [] for tables in _BOARDS}
    for number in range(rounds):
        raw.append(ping_pong(round(20_000 * scale)))
        engine.append(play_in_process(round(500 * scale)))
        for tables, boards in _BOARDS.items():
            speeds[tables].append(play_tournament(tables, workers, max(1, round(boards * scale))))
        click.echo(f"round {number + 1} of {rounds}", err=True)
    limit = statistics.median(raw)
    rows: list[tuple[str, ...]] = [("R: raw ping-pong, one core", f"{limit:,.0f}", "", "1.00", "")]
    rows.append(_row("rules alone, one core", engine, limit))
    for tables, measured in speeds.items():
        rows.append(_row(f"tournament, {tables} tables, {workers} workers", measured, limit))
    head = ["median of rounds", "decisions/s", "games/s", "x R", "lowest-highest x R"]
    click.echo(tabulate(rows, head, disable_numparse=True, colalign=("left", *["right"] * 4)))


def _row(name: str, speeds: list[TournamentSpeed], limit: float) -> tuple[str, ...]:
    def median(pick: Callable[[TournamentSpeed], float]) -> float:
        return statistics.median(map(pick, speeds))

    decisions = median(lambda speed: speed.decisions_per_s)
    ratios = sorted(speed.decisions_per_s / limit for speed in speeds)
    return (
        name,
        f"{decisions:,.0f}",
        f"{median(lambda speed: speed.games_per_s):,.0f}",
        f"{decisions / limit:.2f}",
        f"{ratios[0]:.2f}-{ratios[-1]:.2f}",
    )


if __name__ == "__main__":
    main()
