from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest

from arena.ratings.critical import two_sided
from arena.ratings.rate import rate
from arena.ratings.scores import MatchScore

K = 400 / math.log(10)


def error_of(scores: list[MatchScore], bots: str, bot: str) -> float | None:
    return rate(scores, bots).of(bot).error


class TestTwoBots:
    """For two bots the error of the difference is z K sqrt(sum (y - 2p)^2) / (n p q)."""

    def test_from_the_boards_own_variance(self) -> None:
        difference = rate([MatchScore("a", "b", 30, 50, 20)], "ab").difference("a", "b")
        assert difference is not None
        p = 110 / 200
        squares = 30 * (2 - 2 * p) ** 2 + 50 * (1 - 2 * p) ** 2 + 20 * (2 * p) ** 2
        se = math.sqrt(squares) / (200 * p * (1 - p))
        assert difference.error == pytest.approx(two_sided(0.95, 99) * K * se)

    def test_few_boards_go_by_phi(self) -> None:
        # 20 boards go by their own variance, 19 by phi, which has a correction for few boards.
        for boards, correction in ((20, 1), (19, 19 / 18)):
            split = boards - 9
            ratings = rate([MatchScore("a", "b", 5, split, 4)], "ab")
            p = (10 + split) / (2 * boards)
            squares = 5 * (2 - 2 * p) ** 2 + split * (1 - 2 * p) ** 2 + 4 * (2 * p) ** 2
            phi = boards / (boards - 1) * squares / (boards * 2 * p * (1 - p))
            assert ratings.phi == pytest.approx(phi)
            difference = ratings.difference("a", "b")
            assert difference is not None
            se = math.sqrt(squares * correction) / (2 * boards * p * (1 - p))
            assert difference.error == pytest.approx(two_sided(0.95, boards - 1) * K * se)

    def test_phi_is_one_plus_the_correlation(self) -> None:
        # One board in four won both, one lost both: as independent games would.
        ratings = rate([MatchScore("a", "b", 250, 500, 250)], "ab")
        assert ratings.phi == pytest.approx(1, rel=0.002)
        always = rate([MatchScore("a", "b", 500, 0, 500)], "ab")
        assert always.phi == pytest.approx(2, rel=0.002)

    def test_a_higher_confidence_is_wider_by_its_quantile(self) -> None:
        scores = [MatchScore("a", "b", 30, 50, 20)]
        narrow = rate(scores, "ab", confidence=0.9).of("a").error
        wide = rate(scores, "ab", confidence=0.99).of("a").error
        assert narrow is not None
        assert wide is not None
        assert wide / narrow == pytest.approx(two_sided(0.99, 99) / two_sided(0.9, 99))


ALL_SPLIT = (
    "On every board among (a, b) each won one of the two games, "
    "so how sure their ratings are is not known."
)


class TestNoVariance:
    """Near-equal deterministic bots split every board: that is no proof of being equal."""

    @pytest.mark.parametrize("boards", [1, 50])
    def test_all_split_tells_nothing(self, boards: int) -> None:
        ratings = rate([MatchScore("a", "b", 0, boards, 0)], "ab")
        assert [(r.elo, r.error, r.rank) for r in ratings.bots] == [(1500, None, (1, 2))] * 2
        assert ratings.phi is None
        assert ratings.groups[0].covariance is None
        difference = ratings.difference("a", "b")
        assert difference is not None
        assert (difference.elo, difference.error) == (0, None)
        assert ratings.notices[0] == ALL_SPLIT

    def test_only_the_bots_concerned_are_said_to_have_split(self) -> None:
        scores = [MatchScore("a", "b", 0, 9, 0), MatchScore("a", "c", 9, 0, 0)]
        ratings = rate([*scores, MatchScore("b", "c", 9, 0, 0)], "abc")
        assert ratings.notices == (
            "Lost every game, so the rating is only an upper bound: c.",
            ALL_SPLIT,
            "No match has more boards than 9 yet: ranks can still change a good deal.",
        )

    def test_each_group_of_its_own(self) -> None:
        scores = [MatchScore("a", "b", 0, 20, 0), MatchScore("c", "d", 0, 20, 0)]
        _, *said = rate(scores, "abcd").notices
        assert said == [ALL_SPLIT, ALL_SPLIT.replace("(a, b)", "(c, d)")]

    def test_a_split_match_takes_the_phi_of_the_field(self) -> None:
        scores = [
            MatchScore("a", "b", 0, 100, 0),
            MatchScore("a", "c", 30, 40, 30),
            MatchScore("b", "c", 30, 40, 30),
        ]
        ratings = rate(scores, "abc")
        assert ratings.phi == pytest.approx(300 / 298 * 240 / 300)
        difference = ratings.difference("a", "b")
        assert difference is not None
        # All even: V = A M A with p q = 1/4; a - b rests 2/3 on its match and 1/3 on the others.
        assert ratings.phi is not None
        match = ratings.phi * 2 * 100 / 4
        others = 30 * 1 + 30 * 1
        weight, detour = 1 / 50 * 2 / 3, 1 / 50 * 1 / 3
        variance = weight**2 * match + 2 * detour**2 * others
        assert difference.error == pytest.approx(
            two_sided(0.95, difference.freedom or 0) * K * math.sqrt(variance)
        )

    def test_of_a_split_group_other_groups_say_nothing(self) -> None:
        scores = [MatchScore("a", "b", 0, 100, 0), MatchScore("c", "d", 30, 40, 30)]
        ratings = rate(scores, "abcd")
        assert ratings.of("a").error is None
        assert ratings.of("c").error == rate(scores[1:], "cd").of("c").error
        assert ALL_SPLIT in ratings.notices

    def test_few_boards_are_not_judged_by_what_long_matches_vary_by(self) -> None:
        """A new bot among near copies that have played for long: its boards are not theirs."""
        copies = [MatchScore(a, b, 10, 480, 10) for a, b in combinations("abc", 2)]
        new = [MatchScore(a, "n", 4, 8, 4) for a in "abc"]
        ratings = rate([*copies, *new], "abcn")
        phi = 48 / (48 - 1) * 24 * 1 / (48 * 0.5)  # half of the boards split, one rating free
        difference = ratings.difference("a", "n")
        assert difference is not None
        assert difference.freedom == pytest.approx(47, rel=0.05)
        # The copies are as one bot against n: 48 boards.
        se = math.sqrt(phi / (2 * 48 * 0.25))
        assert difference.error == pytest.approx(two_sided(0.95, 47) * K * se, rel=0.03)

    def test_a_match_always_won_is_not_exact_either(self) -> None:
        # a always beat c, but all three are connected through b.
        scores = [
            MatchScore("a", "c", 40, 0, 0),
            MatchScore("a", "b", 10, 20, 10),
            MatchScore("b", "c", 12, 20, 8),
        ]
        ratings = rate(scores, "abc")
        assert [r.bound for r in ratings.bots] == [None] * 3
        assert all(r.error is not None and r.error > 20 for r in ratings.bots)

    def test_a_bot_at_a_bound_adds_nothing_to_phi(self) -> None:
        scores = [MatchScore("a", "b", 10, 30, 10)]
        with_bound = [*scores, MatchScore("w", "a", 50, 0, 0)]
        assert rate(with_bound, "abw").phi == rate(scores, "ab").phi


def test_errors_of_rows_must_not_be_combined() -> None:
    """Against the mean two bots' errors go together: quadrature would be too narrow."""
    scores = [MatchScore(a, b, 10, 30, 10) for a, b in combinations("abcd", 2)]
    ratings = rate(scores, "abcd")
    difference = ratings.difference("a", "b")
    assert difference is not None
    a, b = ratings.of("a").error, ratings.of("b").error
    assert a is not None
    assert b is not None
    assert math.hypot(a, b) == pytest.approx((difference.error or 0) * math.sqrt(3 / 4))


def luck_cancels(strength: np.ndarray, luck: float) -> np.ndarray:
    """[a, b]: the m for which the mean of sigma(m + L), L ~ N(0, luck), is the logistic chance."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(41)
    weights = weights / weights.sum()
    gap = strength[:, None] - strength[None, :]
    grid = np.linspace(-8, 8, 4001)
    mean = (weights / (1 + np.exp(-grid[:, None] - luck * nodes))).sum(axis=1)
    m: np.ndarray = np.interp(1 / (1 + np.exp(-gap)), mean, grid)
    return m


@pytest.mark.parametrize(("boards", "low", "high"), [(60, 0.93, 0.97), (8, 0.92, 0.98)])
def test_intervals_of_differences_cover_the_truth(boards: int, low: float, high: float) -> None:
    """Boards with luck of their own (correlation about -0.38): 95 % must hold about 95 %."""
    random = np.random.default_rng(20261129)
    strength = np.array([60, 20, 0, -20, -60]) / K
    m = luck_cancels(strength, 2.0)
    names = "abcde"
    covered = tried = 0
    independent = 0
    for _ in range(200):
        scores = []
        for i, j in combinations(range(5), 2):
            luck = random.normal(0, 2, boards)
            won = random.random(boards) < 1 / (1 + np.exp(-(m[i, j] + luck)))
            again = random.random(boards) < 1 / (1 + np.exp(-(m[i, j] - luck)))
            count = np.bincount(won.astype(int) + again, minlength=3)
            scores.append(
                MatchScore(names[i], names[j], int(count[2]), int(count[1]), int(count[0]))
            )
        ratings = rate(scores, names)
        assert ratings.phi is not None
        for i, j in combinations(range(5), 2):
            difference = ratings.difference(names[i], names[j])
            assert difference is not None
            assert difference.error is not None
            miss = abs(difference.elo - K * (strength[i] - strength[j]))
            tried += 1
            covered += miss <= difference.error
            independent += miss <= difference.error / math.sqrt(ratings.phi)
    assert low < covered / tried < high
    assert independent / tried > 0.98
