"""Random tables fitted by other people's programs as well: choix and statsmodels.

Both want every single game. The tables are sparse, unequal and lopsided, and strongly connected.
"""

from __future__ import annotations

import math
from itertools import combinations

import choix
import numpy as np
import pytest
from numpy.typing import NDArray
from statsmodels.genmod.families import Binomial
from statsmodels.genmod.generalized_linear_model import GLM
from statsmodels.regression.linear_model import OLS
from statsmodels.stats.libqsturng import qsturng
from statsmodels.stats.multitest import multipletests

from arena.ratings.critical import simultaneous
from arena.ratings.intervals import FEW_BOARDS
from arena.ratings.misfits import holm
from arena.ratings.rate import rate
from arena.ratings.ratings import Ratings
from arena.ratings.ratio import Ratio
from arena.ratings.scale import ELO
from arena.ratings.scores import MatchScore

Floats = NDArray[np.float64]

SEEDS = range(8)
CLOSE_ELO = 1e-3


class Table:
    """A field of bots with whole boards for some of its matches, drawn from a seed."""

    def __init__(self, seed: int) -> None:
        random = np.random.default_rng(seed)
        self.bots = [f"bot{number:02}" for number in range(random.integers(2, 14))]
        strength = random.normal(0, 0.8, len(self.bots))
        self.scores: list[MatchScore] = []
        for a, b in combinations(range(len(self.bots)), 2):
            # A chain keeps the field together; of the other matches about a third are played.
            if b == a + 1 or random.random() < 1 / 3:
                boards = int(random.integers(FEW_BOARDS, 4 * FEW_BOARDS))
                chance = 1 / (1 + math.exp(strength[b] - strength[a]))
                one_sided = chance * (1 - chance) / 2
                cells = (1 - chance - one_sided, 2 * one_sided, chance - one_sided)
                lost_both, split, won_both = random.multinomial(boards - 3, cells) + 1
                score = (int(won_both), int(split), int(lost_both))
                self.scores.append(MatchScore(self.bots[a], self.bots[b], *score))

    def games(self) -> list[tuple[int, int, bool, int]]:
        """Every game: (bot, bot, whether the first won, number of the board)."""
        games = []
        board = 0
        for score in self.scores:
            a, b = self.bots.index(score.a), self.bots.index(score.b)
            results = {
                (True, True): score.won_both,
                (True, False): score.split,
                (False, False): score.lost_both,
            }
            for won, boards in results.items():
                for _ in range(boards):
                    games += [(a, b, one, board) for one in won]
                    board += 1
        return games

    def wins(self) -> list[tuple[int, int]]:
        """(winner, loser) of every game, as choix wants it."""
        return [(a, b) if won else (b, a) for a, b, won, _ in self.games()]


@pytest.fixture(params=SEEDS)
def table(request: pytest.FixtureRequest) -> Table:
    return Table(request.param)


def elo_of(ratings: Ratings, bots: list[str]) -> list[float | None]:
    return [ratings.of(bot).elo for bot in bots]


def test_ratings_are_those_of_choix(table: Table) -> None:
    theirs = choix.opt_pairwise(len(table.bots), table.wins(), alpha=0, tol=1e-10)
    ours = elo_of(rate(table.scores, table.bots, mean=0), table.bots)
    assert ours == pytest.approx(list((theirs - theirs.mean()) * ELO), abs=CLOSE_ELO)


@pytest.mark.parametrize("deviation", [30.0, 200.0])
def test_ratings_with_a_prior_are_those_of_choix(table: Table, deviation: float) -> None:
    """choix takes alpha * sum(theta^2) off the log-likelihood: a variance of 1 / (2 alpha)."""
    alpha = (ELO / deviation) ** 2 / 2
    theirs = choix.opt_pairwise(len(table.bots), table.wins(), alpha=alpha, tol=1e-10)
    ours = elo_of(rate(table.scores, table.bots, mean=0, prior=deviation), table.bots)
    assert ours == pytest.approx(list(theirs * ELO), abs=CLOSE_ELO)


def test_a_prior_holds_a_bot_that_won_everything_as_in_choix() -> None:
    alpha = (ELO / 100) ** 2 / 2
    theirs = choix.opt_pairwise(2, [(0, 1)] * 40, alpha=alpha, tol=1e-10)
    ours = elo_of(rate([MatchScore("a", "b", 20, 0, 0)], "ab", mean=0, prior=100), ["a", "b"])
    assert ours == pytest.approx(list(theirs * ELO), abs=CLOSE_ELO)


def test_ratings_and_errors_are_those_of_statsmodels(table: Table) -> None:
    """A binomial regression on who plays, the games of a board together as a cluster."""
    theta, covariance = regression(table)
    ratings = rate(table.scores, table.bots, mean=0)
    assert elo_of(ratings, table.bots) == pytest.approx(
        list((theta - theta.mean()) * ELO), abs=CLOSE_ELO
    )
    (group,) = ratings.groups
    for a, b in combinations(range(len(table.bots)), 2):
        theirs = covariance[a, a] + covariance[b, b] - 2 * covariance[a, b]
        ours = group.variance(table.bots[a], table.bots[b])
        assert ours is not None
        assert math.sqrt(ours) == pytest.approx(math.sqrt(theirs) * ELO, rel=1e-6)


def regression(table: Table) -> tuple[Floats, Floats]:
    """Return theta and its covariance against the first bot."""
    games = table.games()
    who_plays = np.zeros((len(games), len(table.bots)))
    for row, (a, b, _, _) in enumerate(games):
        who_plays[row, [a, b]] = 1, -1
    won = np.array([float(won) for _, _, won, _ in games])
    boards = np.array([board for *_, board in games])
    fitted = GLM(won, who_plays[:, 1:], family=Binomial()).fit(
        tol=1e-12,
        cov_type="cluster",
        cov_kwds={"groups": boards, "use_correction": False},
    )
    k = len(table.bots)
    covariance = np.zeros((k, k))
    covariance[1:, 1:] = fitted.cov_params()
    return np.array([0.0, *fitted.params]), covariance


@pytest.mark.parametrize("seed", SEEDS)
def test_several_tests_are_adjusted_as_in_statsmodels(seed: int) -> None:
    random = np.random.default_rng(seed)
    chances = random.random(random.integers(1, 40)) ** 3
    assert holm(chances.tolist()) == pytest.approx(multipletests(chances, method="holm")[1])


@pytest.mark.parametrize("bots", [3, 8, 20, 100])
@pytest.mark.parametrize("freedom", [5.0, 30.0, 1000.0])
def test_the_studentised_range_is_that_of_statsmodels(bots: int, freedom: float) -> None:
    """Theirs are fitted curves, good to three digits (Gleason 1999)."""
    theirs = qsturng(0.95, bots, freedom) / math.sqrt(2)
    assert simultaneous(0.95, freedom, bots) == pytest.approx(theirs, rel=2e-3)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_ratio_is_as_sure_as_in_statsmodels(seed: int) -> None:
    """A mean over deals, those of a board together as a cluster, again without a correction."""
    random = np.random.default_rng(seed)
    boards = [random.integers(-2, 3, random.integers(1, 15)) for _ in range(30)]
    deals = np.concatenate(boards)
    numbers = np.repeat(np.arange(len(boards)), [len(board) for board in boards])
    fitted = OLS(deals, np.ones(len(deals))).fit(
        cov_type="cluster", cov_kwds={"groups": numbers, "use_correction": False}
    )
    ratio = Ratio()
    for board in boards:
        ratio = ratio.plus(Ratio.of_boards(int(board.sum()), len(board)))
    ours = ratio.estimate(lambda _: math.sqrt((len(boards) - 1) / len(boards)))
    assert ours == pytest.approx((fitted.params[0], fitted.bse[0]))
