"""What is said of how games were played, and counted of it."""

from __future__ import annotations

import pytest

from arena.report.circumstances import Circumstances, Lag, Watch


@pytest.mark.parametrize(
    ("lags_us", "lag"),
    [
        ([0], Lag(0, 0)),
        ([19, 29], Lag(0.01, 0.02)),
        ([1_000] * 98 + [5_000] * 2, Lag(1, 5)),
        ([1_000] * 99 + [5_000], Lag(1, 1)),
        ([0] * 50 + [7_000] * 50, Lag(0, 7)),
        ([*range(0, 100_000, 10)], Lag(49.99, 98.99)),
    ],
)
def test_lag_is_what_so_many_games_do_not_exceed(lags_us: list[int], lag: Lag) -> None:
    watch = Watch()
    for lag_us in reversed(lags_us):
        watch.take("process", "allow", lag_us)
    assert watch.circumstances(None).lag == lag


def test_games_of_one_kind() -> None:
    found = Circumstances({"process": 8}, {"allow": 8}, Lag(0.02, 1.5), "6b44ab4551ba" + "5b" * 26)
    assert found.remark == (
        "isolation: process; pondering: allow;"
        " lateness of the arena in a game: p50 0.02 ms, p99 1.5 ms; inspection 6b44ab4551ba"
    )
    assert not [*found.warnings()]


def test_games_of_several_kinds() -> None:
    found = Circumstances({"process": 1, "sandbox": 7}, {"allow": 6, "suspend": 2})
    assert found.remark == (
        "isolation: 1 game with process, 7 games with sandbox;"
        " pondering: 6 games with allow, 2 games with suspend"
    )
    assert [*found.warnings()] == [
        (
            "Games were played at different levels of isolation:"
            " 1 game with process, 7 games with sandbox."
        ),
        "Games were played with different pondering: 6 games with allow, 2 games with suspend.",
    ]


def test_games_without_protection() -> None:
    (warning,) = Circumstances({"none": 2}, {"allow": 2}).warnings()
    assert warning.startswith("Isolation none protects nothing")


def test_no_games() -> None:
    assert Watch().circumstances("all held") == Circumstances(inspection="all held")
    assert not Circumstances().remark
