"""What a bot takes, beside its limits: numbers in, warnings out."""

from __future__ import annotations

import pytest

from arena.referee.clock import Limits
from arena.tools.check.findings import Times
from arena.tools.check.measuring import most_tables, near_limits, show_memory, show_times

LIMITS = Limits(move_ms=1_000, game_ms=60_000, memory_bytes=500_000_000)
QUICK = Times(90, 80, 500, 90_000)
MB = 1_000_000


@pytest.mark.parametrize(
    ("measured", "memory_bytes", "codes"),
    [
        (QUICK, 20 * MB, []),
        (None, 20 * MB, []),
        (Times(90, 80, 500_000, 900_000), 20 * MB, []),
        (Times(90, 80, 500_001, 900_000), 20 * MB, ["A206"]),
        (Times(1_000_000, 80, 90, 90), 20 * MB, []),
        (Times(1_000_001, 80, 90, 90), 20 * MB, ["A208"]),
        (QUICK, 400 * MB, []),
        (QUICK, 400 * MB + 1, ["A207"]),
    ],
)
def test_what_is_near_a_limit(measured: Times | None, memory_bytes: int, codes: list[str]) -> None:
    assert [one[1] for one in near_limits(measured, memory_bytes, LIMITS)] == codes


def test_without_a_bank_a_bot_may_think_for_ever() -> None:
    slow = Times(400_000_000, 80, 90, 90)
    assert not list(near_limits(slow, 0, Limits(game_ms=None)))


@pytest.mark.parametrize(
    ("p50_us", "most"), [(100, 2_500), (10_000, 25), (200_000, 1), (0, 250_000)]
)
def test_slow_bots_are_asked_few_decisions_at_once(p50_us: int, most: int) -> None:
    assert most_tables(Times(1, p50_us, 1, 1), LIMITS) == most
    assert most_tables(None, LIMITS) > 64


def test_measures_are_short() -> None:
    assert show_times(QUICK, LIMITS) == "p50 0.08 ms  p99 0.5 ms  max 90 ms   (limit 1000 ms)"
    assert show_times(Times(1, 2, 999_999, 2_000_000), LIMITS) == (
        "p50 0.002 ms  p99 1000 ms  max 2000 ms   (limit 1000 ms)"
    )
    assert show_memory(31_400_000, LIMITS) == "31 MB   (limit 500 MB)"
