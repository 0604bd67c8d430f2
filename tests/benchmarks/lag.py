"""What the arena itself adds to a decision: ``python -m tests.benchmarks.lag``.

A bot is charged from just before a frame is sent to just after its answer is received. It notes
what of that it took itself; the rest is the arena's lag, beside a raw ZeroMQ round trip of the
same bytes in the same run. One table, one worker: measure on a machine that is idle otherwise.
"""

from __future__ import annotations

import statistics
from pathlib import Path

import click
from tabulate import tabulate

from tests.benchmarks.pingpong import round_trips_us
from tests.benchmarks.tournament import bots, played

_BOT = Path(__file__).with_name("noting_bot.py")
_TARGETS = (3, 20)
"""Of p50 and p99, as multiples of the median of a raw round trip."""


def lags_us(boards: int, isolation: str) -> list[float]:
    """Return the arena's lag of each decision of a tournament."""
    keys = {"boards": boards, "tables": 1, "isolation": isolation}
    with played(bots(2, _BOT), run={"workers": 1}, **keys) as found:
        return [
            record.times_us[number] - int(own_us)
            for record in found.records()
            for number, own_us in record.notes
        ]


@click.command()
@click.option("--rounds", default=3, show_default=True, help="Measurements of each row.")
@click.option("--boards", default=40, show_default=True)
@click.option("--isolation", default="process", show_default=True)
def main(rounds: int, boards: int, isolation: str) -> None:
    """Measure both `rounds` times in turn and print the medians of the rounds."""
    raw, arena = [], []
    for _ in range(rounds):
        raw.append(_p50_p99(round_trips_us(10_000)))
        arena.append(_p50_p99(lags_us(boards, isolation)))
    limit = statistics.median(p50 for p50, _ in raw)
    rows = [
        ("raw ZeroMQ round trip", *_row(raw, limit), ""),
        (
            f"arena's lag, one table, {isolation}",
            *_row(arena, limit),
            "{} and {}".format(*_TARGETS),
        ),
    ]
    head = ["median of rounds", "p50 us", "p99 us", "p50 x raw", "p99 x raw", "at most"]
    click.echo(tabulate(rows, head, disable_numparse=True, colalign=("left", *["right"] * 5)))


def _p50_p99(found: list[float]) -> tuple[float, float]:
    parts = statistics.quantiles(found, n=100)
    return parts[49], parts[98]


def _row(found: list[tuple[float, float]], limit: float) -> tuple[str, ...]:
    p50, p99 = (statistics.median(column) for column in zip(*found, strict=True))
    return f"{p50:.0f}", f"{p99:.0f}", f"{p50 / limit:.2f}", f"{p99 / limit:.2f}"


if __name__ == "__main__":
    main()
