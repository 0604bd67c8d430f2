from __future__ import annotations

from itertools import combinations

import pytest

from arena.ratings.critical import two_sided
from arena.ratings.rate import rate
from arena.ratings.ratings import Ratings
from arena.ratings.scores import MatchScore


def ranks(ratings: Ratings) -> dict[str, tuple[int, int] | None]:
    return {rating.bot: rating.rank for rating in ratings.bots}


def test_ranks_come_from_differences_not_from_overlapping_rows() -> None:
    scores = [
        MatchScore("a", "b", 100, 300, 40),
        MatchScore("a", "c", 120, 300, 40),
        MatchScore("b", "c", 70, 300, 60),
    ]
    ratings = rate(scores, "abc")
    assert ranks(ratings) == {"a": (1, 1), "b": (2, 3), "c": (2, 3)}
    assert ratings.above == {("a", "b"), ("a", "c")}
    assert ratings.separated("c", "a")
    assert not ratings.separated("b", "c")


def test_a_bot_between_two_that_are_separated() -> None:
    scores = [
        MatchScore("a", "b", 12, 40, 8),
        MatchScore("a", "c", 16, 40, 4),
        MatchScore("b", "c", 12, 40, 8),
    ]
    assert ranks(rate(scores, "abc")) == {"a": (1, 2), "b": (1, 3), "c": (2, 3)}


def test_a_difference_is_separated_exactly_beyond_its_error() -> None:
    scores = [MatchScore("a", "b", 14, 20, 6), MatchScore("b", "c", 9, 30, 8)]
    for confidence in (0.5, 0.8, 0.9, 0.95, 0.99):
        ratings = rate(scores, "abc", confidence=confidence)
        for a, b in combinations("abc", 2):
            difference = ratings.difference(a, b)
            assert difference is not None
            assert difference.error is not None
            critical = ratings.groups[0].at(ratings.groups[0].critical, a, b)
            assert critical is not None
            wider = critical / two_sided(confidence, difference.freedom or 0)
            assert wider > 1  # three claims together need more than each on its own
            assert ratings.separated(a, b) == (abs(difference.elo) > wider * difference.error)
            assert difference.separated == ratings.separated(a, b)


@pytest.mark.parametrize(("boards", "separated"), [(1, False), (5, False), (6, True)])
def test_a_perfect_record_must_be_long_enough(boards: int, separated: bool) -> None:
    """Chance of winning so many boards from an equal: 2^-5 = 3.1 %, 2^-6 = 1.6 %; 2.5 % counts."""
    ratings = rate([MatchScore("a", "b", boards, 0, 0)], "ab")
    assert ratings.separated("a", "b") == separated
    assert ranks(ratings)["a"] == ((1, 1) if separated else (1, 2))


def test_a_perfect_record_against_weak_bots_says_little_about_a_strong_one() -> None:
    even = [MatchScore("a", "b", 190, 10, 0), MatchScore("b", "c", 20, 60, 20)]
    ratings = rate([*even, MatchScore("w", "c", 12, 0, 0)], "abcw")
    assert ratings.of("w").bound == ">"
    assert ratings.above >= {("w", "c"), ("a", "b"), ("a", "c")}
    assert not ratings.separated("w", "a")


def test_two_perfect_bots_that_never_met_are_not_separated() -> None:
    even = [MatchScore("a", "b", 20, 60, 20)]
    scores = [*even, MatchScore("w", "a", 90, 0, 0), MatchScore("x", "a", 15, 0, 0)]
    ratings = rate(scores, "abwx")
    assert ranks(ratings) == {"w": (1, 2), "x": (1, 2), "a": (3, 4), "b": (3, 4)}


def test_bots_that_lost_all_are_ranked_from_below() -> None:
    even = [MatchScore("a", "b", 20, 60, 20)]
    scores = [*even, MatchScore("a", "y", 90, 0, 0), MatchScore("a", "z", 2, 0, 0)]
    ratings = rate(scores, "abyz")
    assert ratings.above == {("a", "y"), ("b", "y")}
