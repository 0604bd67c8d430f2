"""The root of a rising function, against the library's."""

from __future__ import annotations

import math
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq

from arena.ratings.roots import root

FINITE = st.floats(-50, 50)


@given(FINITE, st.floats(0.01, 100), st.floats(0.01, 60), st.floats(0.01, 60))
def test_it_is_found_where_the_library_finds_it(
    zero: float, steep: float, below: float, above: float
) -> None:
    def rising(x: float) -> float:
        return math.atan(steep * (x - zero)) + (x - zero) ** 3

    low, high = zero - below, zero + above
    wanted = brentq(rising, low, high, xtol=1e-12)
    assert root(rising, low, high) == pytest.approx(wanted, abs=1e-9)


@given(FINITE, st.floats(0.01, 60), st.floats(0.01, 60))
def test_a_straight_line_takes_no_search(zero: float, below: float, above: float) -> None:
    asked = []

    def rising(x: float) -> float:
        asked.append(x)
        return x - zero

    assert root(rising, zero - below, zero + above) == pytest.approx(zero, abs=1e-12)
    assert len(asked) <= 8


def test_a_step_and_a_flat_root_are_found() -> None:
    assert root(lambda x: 1.0 if x > 0.3 else -1.0, 0, 1) == pytest.approx(0.3, abs=1e-11)
    assert root(lambda x: x**3, -1, 2) == pytest.approx(0, abs=1e-9)
    assert root(lambda x: 0.0 if abs(x) < 0.5 else x, -1, 2) == pytest.approx(0, abs=0.5)


def test_ratings_do_not_load_what_takes_longer_than_they_do() -> None:
    code = "import sys, arena.ratings.rate; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"scipy.optimize", "scipy.sparse", "scipy.stats"} & set(run.stdout.split())
