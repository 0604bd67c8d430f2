"""Bots that answer just within their limit while others want the machine: nobody may lose by it.

``python -m tests.soak.timing --moves 2000``: bots that answer at 80 % of a limit of 200 ms, on
every core beside two processes that compute without end.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import click

from arena.referee.record import Forfeit, GameRecord
from arena.store.reader import Reader
from tests.soak.playground import PATIENCE_S, ROOT, playground

LIMIT_MS, ANSWERED_MS = 200, 160
OVERSUBSCRIBED = 2
_LEISURELY = ROOT / "tests" / "soak" / "bots" / "leisurely.py"
_FEWEST_MOVES = 10
"""Of both bots, in a game to one point."""


@dataclass(frozen=True)
class Timed:
    """What one run came to."""

    charged_us: Sequence[int]
    """For each move."""
    forfeits: Sequence[str]
    voids: int
    """Of games that could not be timed, as the arena itself was held up for too long."""


@contextmanager
def busy(processes: int) -> Iterator[None]:
    """Let so many processes compute meanwhile."""
    words = [sys.executable, "-c", "while True: pass"]
    running = [subprocess.Popen(words) for _ in range(processes)]
    try:
        yield
    finally:
        for process in running:
            process.kill()
            process.wait()


def timed(moves: int, isolation: str) -> Timed:
    """Play at least so many moves."""
    cores = len(os.sched_getaffinity(0))
    bot = {"path": str(_LEISURELY), "params": {"after_ms": ANSWERED_MS}}
    with playground() as ground, busy(OVERSUBSCRIBED * cores):
        ground.configure(
            {
                "seed": 9,
                "boards": -(-moves // (2 * _FEWEST_MOVES)),
                "tables": 1,
                "isolation": isolation,
                "options": {"target_score": 1},
                "limits": {"move": f"{LIMIT_MS}ms", "game": None, "start": "60s"},
                "faults": {"withdraw_after": None},
                "bots": [{"name": name, **bot} for name in ("one", "other")],
            }
        )
        done = ground.run("tournament", patience_s=PATIENCE_S + moves * LIMIT_MS / 1000)
        if done.code:
            raise AssertionError(f"exit code {done.code}: {done.err}")
        with Reader.open(ground.results) as reader:
            stored = [record for match in reader.matches() for record in reader.records(match)]
            records = [one for one in stored if isinstance(one, GameRecord)]
            voids = len(reader.voids())
    lost = [f"{one.id}: {one.end}" for one in records if isinstance(one.end, Forfeit)]
    return Timed([us for one in records for us in one.times_us], lost, voids)


@click.command()
@click.option("--moves", default=2000, show_default=True)
@click.option("--isolation", default="process", show_default=True)
def main(moves: int, isolation: str) -> None:
    """Play MOVES moves; exit with 1 if a bot lost a game."""
    began_s = time.monotonic()
    found = timed(moves, isolation)
    for one in found.forfeits:
        click.echo(one)
    charged_ms = [us / 1000 for us in found.charged_us]
    p99 = statistics.quantiles(charged_ms, n=100)[98]
    click.echo(
        f"{len(charged_ms)} moves at {isolation}, {time.monotonic() - began_s:.0f} s: charged"
        f" {statistics.median(charged_ms):.1f} ms (median), {p99:.1f} (p99), {max(charged_ms):.1f}"
        f" (most) of {LIMIT_MS}; {len(found.forfeits)} forfeits, {found.voids} voids"
    )
    sys.exit(bool(found.forfeits))


if __name__ == "__main__":
    main()
