"""What the levels of isolation cost healthy bots: ``python -m tests.benchmarks.isolation``.

Whole tournaments between two random bots, starts, records and store included, at all levels in
turn; medians, as ratios to `none` of the same round.
"""

from __future__ import annotations

import shutil
import statistics

import click
from tabulate import tabulate

from tests.benchmarks.tournament import TournamentSpeed, play_two_bots

_TARGETS = {"none": "", "process": "0.90", "sandbox": "0.85"}


@click.command()
@click.option("--rounds", default=5, show_default=True, help="Measurements of each row.")
@click.option("--boards", default=5_000, show_default=True)
@click.option("--tables", default="64,1", show_default=True, help="One row of levels for each.")
@click.option("--workers", default=2, show_default=True)
def main(rounds: int, boards: int, tables: str, workers: int) -> None:
    """Measure every level `rounds` times in turn and print the medians."""
    levels = [level for level in _TARGETS if level != "sandbox" or shutil.which("bwrap")]
    rows = []
    for number in map(int, tables.split(",")):
        played = boards if number > 1 else max(1, boards // 25)
        found: dict[str, list[TournamentSpeed]] = {level: [] for level in levels}
        for turn in range(rounds):
            for level in levels[turn % len(levels) :] + levels[: turn % len(levels)]:
                found[level].append(play_two_bots(number, workers, played, level))
        rows += [_row(f"{level}, {number} tables", level, found) for level in levels]
    head = ["median of rounds", "decisions/s", "x none", "lowest-highest", "at least"]
    click.echo(tabulate(rows, head, disable_numparse=True, colalign=("left", *["right"] * 4)))


def _row(name: str, level: str, found: dict[str, list[TournamentSpeed]]) -> tuple[str, ...]:
    rates = [speed.decisions_per_s for speed in found[level]]
    none = [speed.decisions_per_s for speed in found["none"]]
    ratios = sorted(rate / other for rate, other in zip(rates, none, strict=True))
    return (
        name,
        f"{statistics.median(rates):,.0f}",
        f"{statistics.median(ratios):.2f}",
        f"{ratios[0]:.2f}-{ratios[-1]:.2f}",
        _TARGETS[level],
    )


if __name__ == "__main__":
    main()
