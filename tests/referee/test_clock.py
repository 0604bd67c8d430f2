"""The clock's arithmetic at its borders."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from arena.referee.clock import Clock, Limits
from arena.referee.fault import Fault


def clock(move_ms: int = 1_000, game_ms: int | None = 5_000, *, grace_ms: int = 50) -> Clock:
    return Clock(Limits(move_ms=move_ms, game_ms=game_ms, grace_ms=grace_ms))


def test_the_defaults_are_those_of_the_contract() -> None:
    assert Limits() == Limits(move_ms=1_000, game_ms=60_000, start_ms=10_000, grace_ms=50)


def test_the_budget_is_the_move_limit_until_less_is_left_in_the_bank() -> None:
    assert clock().budget_ms == 1_000
    assert clock().charge(4_000_000).budget_ms == 1_000
    assert clock().charge(4_000_999).budget_ms == 1_000
    assert clock().charge(4_001_000).budget_ms == 999
    assert clock().charge(4_999_999).budget_ms == 1
    assert clock().charge(5_000_000).budget_ms == 0


def test_a_bank_overdrawn_by_the_grace_leaves_nothing_but_the_grace() -> None:
    overdrawn = clock().charge(5_040_000)
    assert overdrawn.budget_ms == 0
    assert not overdrawn.overrun(50_000)
    assert overdrawn.overrun(50_001)


def test_a_bank_smaller_than_the_move_limit_is_the_budget_from_the_start() -> None:
    assert clock(1_000, 300).budget_ms == 300
    assert clock(1_000, 300).overrun(350_001)
    assert not clock(1_000, 300).overrun(350_000)


def test_without_a_bank_the_move_limit_is_all() -> None:
    endless = clock(game_ms=None).charge(10**12)
    assert endless.budget_ms == 1_000
    assert not endless.overrun(1_050_000)
    assert endless.overrun(1_050_001)


def test_a_decision_may_take_its_budget_and_the_grace_to_the_microsecond() -> None:
    assert not clock().overrun(1_050_000)
    assert clock().overrun(1_050_001)
    assert not clock(grace_ms=0).overrun(1_000_000)
    assert clock(grace_ms=0).overrun(1_000_001)


def test_an_old_clock_is_not_changed_by_a_charge() -> None:
    before = clock()
    assert before.charge(7).charge(8).spent_us == 15
    assert before.spent_us == 0


def test_a_timeout_says_which_limit_ran_out() -> None:
    assert clock().timeout(7) == Fault("timeout", "no answer in 1000 ms (+50) at decision 7")
    spent = clock().charge(4_500_000)
    assert spent.timeout(9) == Fault("timeout", "the game's 5000 ms (+50) ran out at decision 9")
    assert "no answer in 1000 ms" in clock(game_ms=None).charge(10**9).timeout(0).detail


@given(
    st.integers(1, 10_000),
    st.none() | st.integers(0, 100_000),
    st.integers(0, 1_000),
    st.lists(st.integers(0, 10**8), max_size=8),
)
def test_no_decision_may_take_more_than_either_limit(
    move_ms: int, game_ms: int | None, grace_ms: int, charges_us: list[int]
) -> None:
    now = clock(move_ms, game_ms, grace_ms=grace_ms)
    for charge_us in charges_us:
        now = now.charge(charge_us)
    spent_us = sum(charges_us)
    assert 0 <= now.budget_ms <= move_ms
    assert now.overrun((move_ms + grace_ms) * 1000 + 1)
    assert not now.overrun(grace_ms * 1000)
    if game_ms is not None:
        assert now.budget_ms * 1000 <= max(0, game_ms * 1000 - spent_us + 999)
