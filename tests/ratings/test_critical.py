"""Critical values against scipy's own, slower to load, distributions."""

from __future__ import annotations

import math

import pytest
from scipy.stats import norm, studentized_range, t

from arena.ratings.critical import chance_above, simultaneous, student, two_sided


@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.95, 0.999])
@pytest.mark.parametrize("freedom", [1, 4, 19, 132, 1e4])
def test_one_difference(confidence: float, freedom: float) -> None:
    expected = t.ppf((1 + confidence) / 2, freedom)
    assert two_sided(confidence, freedom) == pytest.approx(expected)
    assert simultaneous(confidence, freedom, 2) == pytest.approx(expected)
    assert student(confidence)(int(freedom) + 1) == pytest.approx(expected)


def test_the_normal_quantile_is_the_limit() -> None:
    assert two_sided(0.95, math.inf) == pytest.approx(norm.ppf(0.975))
    assert chance_above(1.5, math.inf) == pytest.approx(norm.cdf(1.5))
    assert simultaneous(0.95, math.inf, 8) == pytest.approx(simultaneous(0.95, 1e5, 8), rel=1e-4)


@pytest.mark.parametrize("bots", [3, 8, 20, 100])
@pytest.mark.parametrize("freedom", [1, 2, 5, 30, 500])
def test_all_differences_at_once(bots: int, freedom: int) -> None:
    expected = studentized_range.ppf(0.95, bots, freedom) / math.sqrt(2)
    assert simultaneous(0.95, freedom, bots) == pytest.approx(expected, rel=1e-4)


# From the method's description: q / sqrt(2) at 95 % for so many bots.
@pytest.mark.parametrize(
    ("bots", "expected"), [(3, 2.34), (4, 2.57), (6, 2.85), (8, 3.03), (12, 3.27), (20, 3.54)]
)
def test_known_values(bots: int, expected: float) -> None:
    assert simultaneous(0.95, math.inf, bots) == pytest.approx(expected, abs=0.006)


def test_the_chance_belongs_to_the_quantile() -> None:
    assert chance_above(two_sided(0.9, 7), 7) == pytest.approx(0.95)
    assert chance_above(0, 3) == 0.5
    assert chance_above(-2.0, 11) == pytest.approx(1 - chance_above(2.0, 11))
