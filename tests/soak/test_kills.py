"""The short form of kills.py: a few runs that are killed, stopped and suspended."""

from __future__ import annotations

from functools import cache

import pytest

from tests.soak.kills import MODES, Reference, disturbed, undisturbed
from tests.soak.playground import LONG, SHORT


@cache
def reference(mode: str) -> Reference:
    return undisturbed(MODES[mode], SHORT)


@pytest.mark.timeout(300)
@pytest.mark.parametrize(("mode", "run"), [("kills", 6), ("kills", 7), ("bots", 0), ("stops", 0)])
def test_a_run_comes_out_the_same(mode: str, run: int) -> None:
    report = disturbed(MODES[mode], reference(mode), f"short/{mode}/{run}")
    assert report.faults == []
    assert report.struck


@pytest.mark.soak
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("mode", MODES)
def test_many_runs_come_out_the_same(mode: str) -> None:
    alone = undisturbed(MODES[mode], LONG)
    reports = [disturbed(MODES[mode], alone, f"long/{mode}/{n}") for n in range(50)]
    assert [fault for report in reports for fault in report.faults] == []
