from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from arena.ratings.misfits import holm
from arena.ratings.rate import rate
from arena.ratings.scores import MatchScore

CYCLE = [
    MatchScore("paper", "rock", 25, 20, 5),
    MatchScore("rock", "scissors", 25, 20, 5),
    MatchScore("scissors", "paper", 25, 20, 5),
]
NO_MISFIT = "one number for each bot does not tell all"


class TestCycle:
    """70 to 30 in a circle: all ratings are equal, and no match fits (deviance 49.37 on 1 df)."""

    def test_equal_ratings_hide_a_cycle_that_the_misfits_show(self) -> None:
        ratings = rate(CYCLE, ["paper", "rock", "scissors"])
        assert [rating.elo for rating in ratings.bots] == pytest.approx([1500] * 3)
        assert [rating.rank for rating in ratings.bots] == [(1, 3)] * 3
        assert {(one.a, one.b) for one in ratings.misfits} == {
            ("paper", "rock"),
            ("rock", "scissors"),
            ("scissors", "paper"),
        }
        for one in ratings.misfits:
            assert (one.games, one.won) == (100, 70)
            assert one.expected == pytest.approx(50)
        # One degree of freedom: each match has a third of its variance left, and shows all of it.
        assert len({round(one.standard_errors, 6) for one in ratings.misfits}) == 1
        assert all(one.chance < 1e-6 for one in ratings.misfits)
        assert ratings.notices[0] == (
            "In a circle, which no ratings can tell:"
            " paper beats rock, rock beats scissors, scissors beats paper."
        )
        assert sum(NO_MISFIT in notice for notice in ratings.notices) == 3
        assert (
            "paper won 70 % of its games against rock where the ratings say 50 %:"
            " one number for each bot does not tell all."
        ) in ratings.notices

    def test_whoever_wins_less_than_half_beats_nobody(self) -> None:
        """The misfits of three bots always point in a circle; here a is better than both."""
        scores = [
            MatchScore("a", "b", 110, 80, 10),
            MatchScore("b", "c", 110, 80, 10),
            MatchScore("a", "c", 110, 80, 10),
        ]
        ratings = rate(scores, "abc")
        assert [rating.rank for rating in ratings.bots] == [(1, 1), (2, 2), (3, 3)]
        assert any(NO_MISFIT in notice for notice in ratings.notices)
        assert not any("circle" in notice for notice in ratings.notices)

    def test_neither_a_prior_nor_anchors_make_a_misfit(self) -> None:
        one = [MatchScore("a", "b", 250, 140, 10)]
        assert rate(one, "ab", prior=20).misfits == ()
        anchored = rate(CYCLE, ["paper", "rock", "scissors"], anchors={"paper": 2000, "rock": 1000})
        assert anchored.misfits == ()
        assert anchored.phi == pytest.approx(rate(CYCLE, ["paper", "rock", "scissors"]).phi)

    def test_a_match_that_alone_decides_has_no_room_to_misfit(self) -> None:
        star = [MatchScore("hub", bot, 20, 20, 10) for bot in "abc"]
        assert rate(star, ["a", "b", "c", "hub"]).misfits == ()
        assert rate([MatchScore("a", "b", 30, 10, 5)], "ab").misfits == ()

    def test_nothing_to_judge(self) -> None:
        assert rate([], "ab").misfits == ()
        split = [MatchScore(a, b, 0, 30, 0) for a, b in combinations("abc", 2)]
        assert rate(split, "abc").misfits == ()
        one_way = [MatchScore(a, b, 9, 0, 0) for a, b in combinations("abc", 2)]
        assert rate(one_way, "abc").misfits == ()


def test_false_alarms_are_as_rare_as_they_should_be() -> None:
    """Six bots whose ratings tell all: a notice in at most 5 % of 400 tables."""
    random = np.random.default_rng(5)
    bots = list("abcdef")
    strength = np.linspace(0.4, -0.4, 6)
    alarms = 0
    for _ in range(400):
        scores = []
        for i, j in combinations(range(6), 2):
            p = 1 / (1 + np.exp(strength[j] - strength[i]))
            one_sided = 0.6 * p * (1 - p)  # the games of a board go against each other
            cells = [p - one_sided, 2 * one_sided, 1 - p - one_sided]
            won, split, lost = (int(n) for n in random.multinomial(40, cells))
            scores.append(MatchScore(bots[i], bots[j], won, split, lost))
        alarms += any(NO_MISFIT in notice for notice in rate(scores, bots).notices)
    assert 4 <= alarms <= 34  # 20 expected


def test_holm_keeps_order_and_never_exceeds_one() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.9, 0.8]) == [1, 1]
    assert holm([]) == []
