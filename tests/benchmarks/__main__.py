"""How fast the arena is, beside what limits it: ``python -m tests.benchmarks``.

Every target is a ratio within one run: what belongs together is measured interleaved, round by
round, because nothing else means much on a machine that is never quiet. README.md explains each
row.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import click

from tests.benchmarks import (
    idle,
    length,
    many_bots,
    records_cost,
    thinking,
    two_bots,
    unequal,
)
from tests.benchmarks.figures import Outcome, Reading, as_json, as_table, rows
from tests.benchmarks.machine import Others, this_machine
from tests.benchmarks.rounds import Round


class Target(NamedTuple):
    """One that can be chosen."""

    what: str
    measure: Callable[[Round], Iterable[Reading]]
    is_once: bool = False
    """Whether one round is enough: it is long, and not a race against something else."""


TARGETS = {
    "1": Target("two random bots", two_bots.measure),
    "1b": Target("20 random bots", many_bots.measure),
    "2": Target("two workers and one", two_bots.measure_workers),
    "3": Target("bots that think 1 ms", thinking.measure),
    "4": Target("what records cost", records_cost.measure),
    "5": Target("100,000 games", length.measure, is_once=True),
    "6": Target("while bots think 5 s", idle.measure),
    "7": Target("one slow bot", unequal.measure),
}
_QUICK_SCALE = 0.05


@click.command()
@click.option("--only", multiple=True, type=click.Choice(list(TARGETS)), help="Repeat for more.")
@click.option("--rounds", type=click.IntRange(1), default=3, show_default=True, help="Of each row.")
@click.option(
    "--scale",
    type=click.FloatRange(0, min_open=True),
    default=1.0,
    show_default=True,
    help="Length of each measurement.",
)
@click.option(
    "--quick", is_flag=True, help=f"One round at scale {_QUICK_SCALE}, whatever else is said."
)
@click.option("--json", "is_json", is_flag=True, help="One JSON object, no table.")
@click.option("--report-only", is_flag=True, help="Exit with 0 also if a target is missed.")
def main(
    only: tuple[str, ...],
    rounds: int,
    scale: float,
    quick: bool,
    is_json: bool,
    report_only: bool,
) -> None:
    """Measure the targets in turn and print the medians; exit with 1 if one is missed."""
    if quick:
        rounds, scale = 1, _QUICK_SCALE
    chosen = {key: target for key, target in TARGETS.items() if not only or key in only}
    machine, others = this_machine(), Others()
    failed: set[str] = set()
    found = rows(_readings(chosen, rounds, scale, failed.add))
    outcome = Outcome(machine, rounds, scale, others.share(), tuple(sorted(failed)), found)
    if is_json:
        click.echo(as_json(outcome))
    else:
        click.echo(f"{machine}\nother programs took {outcome.others:.0%} of the cores meanwhile\n")
        click.echo(as_table(outcome))
    sys.exit(not (outcome.is_held or report_only))


def _readings(
    chosen: dict[str, Target], rounds: int, scale: float, failed: Callable[[str], None]
) -> Iterator[Reading]:
    """Measure in turn; one that fails is told, and the others are measured nevertheless."""
    for number in range(rounds):
        this = Round(scale)
        for key, target in chosen.items():
            if number == 0 or not target.is_once:
                click.echo(f"round {number + 1} of {rounds}: {key}, {target.what}", err=True)
                try:
                    yield from target.measure(this)
                except (subprocess.SubprocessError, TimeoutError) as error:
                    click.echo(f"target {key} could not be measured: {error}", err=True)
                    failed(key)


if __name__ == "__main__":
    main()
