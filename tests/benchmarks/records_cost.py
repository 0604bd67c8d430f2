"""Target 4: the CPU that whole records take, beside results alone."""

from __future__ import annotations

from collections.abc import Iterator

from tests.benchmarks.figures import Bound, Reading
from tests.benchmarks.rounds import Round
from tests.benchmarks.tournament import bots, played

_BOARDS = 4_000
_TIMES_RESULTS = Bound("most", 1.15)


def measure(this: Round) -> Iterator[Reading]:
    """Play the same games with both; CPU of all processes, so other programs matter little."""
    cpu_s = {}
    for kept in ("results", "all"):
        keys = {"boards": this.scaled(_BOARDS), "output": {"records": kept}}
        with played(bots(2), tables=64, run={"workers": 2}, **keys) as found:
            cpu_s[kept] = found.spent.cpu_s
    row = "records all, CPU: x that of records results"
    yield Reading("4", row, cpu_s["all"], "s", cpu_s["all"] / cpu_s["results"], _TIMES_RESULTS)
