"""Two bots: how often the interval of their difference holds, exactly, by counting all results.

With few boards there are few results, so the share jumps as the true gap changes: it is 95 % in the
mean over many gaps. Nothing is drawn here.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from arena.ratings.rate import rate
from arena.ratings.scores import MatchScore
from tests.ratings.simulation import Setting, chances_of_boards

GAPS = range(0, 161, 8)
"""In Elo."""


@cache
def every_result(boards: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """All scores a match can have, as (lost both, split, won both), and (Elo, error) told of them.

    nan where no error is told.
    """
    counts, told = [], []
    for won in range(boards + 1):
        for lost in range(boards + 1 - won):
            counts.append((lost, boards - won - lost, won))
            score = MatchScore("a", "b", won, boards - won - lost, lost)
            said = rate([score], "ab").difference("a", "b")
            known = said is not None and said.error is not None
            told.append((said.elo, said.error) if said is not None and known else (math.nan,) * 2)
    return np.array(counts, float), np.array(told, float)


def covered(boards: int, correlation: float, gap: float) -> tuple[float, float]:
    """Return how often the interval holds if there is one, and how often there is none."""
    counts, told = every_result(boards)
    (chances,) = chances_of_boards(Setting((gap, 0.0), boards, correlation))
    ways = [
        math.comb(boards, int(won)) * math.comb(boards - int(won), int(lost))
        for lost, _, won in counts
    ]
    weights = np.array(ways, float) * (chances**counts).prod(axis=1)
    assert weights.sum() == pytest.approx(1)
    known = ~np.isnan(told[:, 1])
    holds = known & (np.abs(told[:, 0] - gap) <= told[:, 1])
    return weights[holds].sum() / weights[known].sum(), weights[~known].sum()


@pytest.mark.parametrize(
    ("boards", "correlation", "low", "high"),
    [
        (20, 0.0, 0.95, 0.96),  # games that have nothing in common: on the safe side
        (20, -0.4, 0.95, 0.96),
        (20, -0.6, 0.945, 0.955),
        (40, -0.4, 0.945, 0.955),
        (40, -0.6, 0.945, 0.955),
    ],
)
def test_intervals_hold_in_the_mean_over_gaps(
    boards: int, correlation: float, low: float, high: float
) -> None:
    shares = [covered(boards, correlation, gap)[0] for gap in GAPS]
    assert low < float(np.mean(shares)) < high


def test_at_the_edge_nothing_is_told_rather_than_something_false() -> None:
    _, unknown = covered(20, -0.6, 0)
    assert unknown == pytest.approx(0.8**20, rel=0.01), "all boards split, and next to nothing else"


@pytest.mark.soak
@pytest.mark.parametrize("correlation", [0.0, -0.4, -0.6])
def test_with_many_boards_they_hold_at_every_gap(correlation: float) -> None:
    for gap in GAPS:
        assert covered(100, correlation, gap)[0] == pytest.approx(0.95, abs=0.01)
