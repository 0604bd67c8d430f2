"""Ratios over boards: against a direct formula, and where nothing can be said."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from functools import reduce

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm, t

from arena.ratings.critical import student
from arena.ratings.ratio import Estimate, Ratio

Board = tuple[int, int]

boards = st.lists(st.tuples(st.integers(-40, 40), st.integers(0, 40)), max_size=30)


def one(_boards: int) -> float:
    return 1.0


def summed(pairs: Sequence[Board]) -> Ratio:
    return reduce(Ratio.plus, (Ratio.of_boards(x, n) for x, n in pairs), Ratio())


def test_by_hand() -> None:
    """r = 3 / 6; residuals 2 - 1, 1 - 1, 0 - 1; variance 3 / 2 * 2 / 36."""
    ratio = summed([(2, 2), (1, 2), (0, 2)])
    assert ratio == Ratio(boards=3, x=3, n=6, xx=5, xn=6, nn=12)
    assert ratio.estimate(one) == pytest.approx((0.5, math.sqrt(3 / 36)))


def test_boards_of_different_weight_by_hand() -> None:
    """r = 5 / 5; residuals 3 - 1 and 2 - 4; variance 2 / 1 * 8 / 25."""
    assert summed([(3, 1), (2, 4)]).estimate(one) == pytest.approx((1.0, 0.8))


@given(boards)
def test_as_the_formula_says(pairs: list[Board]) -> None:
    found = summed(pairs).estimate(lambda g: g + 0.5)
    x, n = np.array([(x, n) for x, n in pairs if n], dtype=float).reshape(-1, 2).T
    if not x.size:
        assert found == Estimate(None, None)
        return
    r = x.sum() / n.sum()
    assert found.value == pytest.approx(r, abs=1e-12)
    squares = ((x - r * n) ** 2).sum()
    if x.size == 1 or squares < 1e-18:
        assert found.error is None
        return
    standard_error = math.sqrt(x.size / (x.size - 1) * squares) / n.sum()
    assert found.error == pytest.approx((x.size + 0.5) * standard_error, rel=1e-9)


@given(boards, st.randoms())
def test_the_order_of_boards_does_not_matter(pairs: list[Board], dice: random.Random) -> None:
    shuffled = list(pairs)
    dice.shuffle(shuffled)
    middle = len(pairs) // 2
    assert summed(shuffled) == summed(pairs)
    assert summed(pairs[:middle]).plus(summed(pairs[middle:])) == summed(pairs)


@given(boards)
def test_turned_it_is_the_opposite_and_as_sure(pairs: list[Board]) -> None:
    turned = summed(pairs).turned()
    assert turned == summed([(-x, n) for x, n in pairs])
    value, error = summed(pairs).estimate(one)
    assert turned.estimate(one) == Estimate(None if value is None else -value, error)


@pytest.mark.parametrize(
    ("pairs", "value"),
    [
        ([], None),
        ([(7, 0)], None),
        ([(3, 4)], 0.75),
        ([(3, 4), (1, 0)], 0.75),
        ([(3, 4)] * 1000, 0.75),
        ([(0, 20), (0, 24)], 0.0),
        ([(1, 3), (2, 6)], 1 / 3),
    ],
)
def test_boards_that_do_not_differ_say_nothing(pairs: list[Board], value: float | None) -> None:
    """In floating point the spread of (1, 3) and (2, 6) need not come out as 0."""
    assert summed(pairs).estimate(one) == Estimate(value, None)


def test_many_boards_lose_nothing() -> None:
    """One board in 10^12 that differs: far below what floating point can hold of the sums."""
    many = 10**12
    ratio = Ratio(many, 7 * many, 24 * many, 49 * many, 168 * many, 576 * many)
    value, error = ratio.plus(Ratio.of_boards(8, 24)).estimate(one)
    assert value == pytest.approx(7 / 24)
    assert error == pytest.approx(1 / (24 * many), rel=1e-6)


@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.95, 0.999])
def test_students_quantiles(confidence: float) -> None:
    half_width = student(confidence)
    for count in (2, 3, 10, 1000):
        assert half_width(count) == pytest.approx(t.ppf((1 + confidence) / 2, count - 1))
    assert half_width(10**7) == pytest.approx(norm.ppf((1 + confidence) / 2), rel=1e-5)
