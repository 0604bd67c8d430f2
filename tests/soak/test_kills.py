"""The short form of kills.py: a few runs that are killed, stopped and suspended."""

from __future__ import annotations

from functools import cache

import pytest

from tests.soak.kills import MODES, Reference, disturbed, undisturbed
from tests.soak.playground import LONG, SHORT

RUNS = [("kills", 0), ("bots", 0), ("stops", 0), ("suspensions", 0)]


@cache
def usual(keys: str) -> Reference:
    return undisturbed(MODES[keys], SHORT)


@pytest.mark.timeout(300)
@pytest.mark.parametrize(("mode", "run"), RUNS)
def test_a_run_comes_out_the_same(mode: str, run: int) -> None:
    keys = "bots" if mode == "bots" else "kills"  # limits that no bot misses make no difference
    report = disturbed(MODES[mode], usual(keys), f"short/{mode}/{run}")
    assert report.faults == []
    assert report.struck


@pytest.mark.soak
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("mode", MODES)
def test_many_runs_come_out_the_same(mode: str) -> None:
    alone = undisturbed(MODES[mode], LONG)
    reports = [disturbed(MODES[mode], alone, f"long/{mode}/{n}") for n in range(50)]
    assert [fault for report in reports for fault in report.faults] == []
