"""Faults as they are told."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.referee.fault import action_of, illegal


@given(st.text(max_size=64), st.integers(0, 99))
def test_what_was_answered_can_be_read_again(action: str, decision: int) -> None:
    fault = illegal(action, decision, ["pass", "order"])
    assert fault.detail.isascii()
    assert action_of(fault.detail) == action


def test_how_it_is_told() -> None:
    told = "'play:9S' at decision 3 is not legal; legal: order pass"
    assert illegal("play:9S", 3, ("order", "pass")).detail == told


@pytest.mark.parametrize(
    "detail", ["", "exited 1 at decision 3", "'x", "'x' at", "f('x') at decision 1"]
)
def test_other_details_tell_of_no_action(detail: str) -> None:
    assert action_of(detail) is None
