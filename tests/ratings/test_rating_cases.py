"""Right answers made by other people's programs (Ordo, R BradleyTerry2, statsmodels)."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arena.ratings.bradley_terry import build_crosstable, fit
from arena.ratings.critical import two_sided
from arena.ratings.groups import find_groups
from arena.ratings.intervals import inverse_information
from arena.ratings.misfits import holm
from arena.ratings.rate import rate
from arena.ratings.scale import ELO
from arena.ratings.scores import Cluster, MatchScore

Case = dict[str, Any]
CASES: list[Case] = json.loads((Path(__file__).parents[1] / "data" / "ratings.json").read_text())


def of_kind(kind: str) -> list[Any]:
    cases = [pytest.param(case, id=case["id"]) for case in CASES if case["kind"] == kind]
    assert cases
    return cases


def scores_of(case: Case) -> list[MatchScore]:
    """Lay the games of a case out as boards; how they pair up does not move the ratings."""
    return [MatchScore(a, b, won // 2, won % 2, lost // 2) for a, b, won, lost, _ in games_of(case)]


def games_of(case: Case) -> list[tuple[str, str, int, int, int]]:
    games = [tuple(row) for row in case["input"]["results"]]
    assert all(draws == 0 and (won + lost) % 2 == 0 for _, _, won, lost, draws in games)
    return games


def bots_of(scores: list[MatchScore]) -> list[str]:
    return sorted({bot for score in scores for bot in (score.a, score.b)})


@pytest.mark.parametrize("case", of_kind("bt_ratings"))
def test_ratings(case: Case) -> None:
    scores = scores_of(case)
    ratings = rate(
        scores,
        bots_of(scores),
        mean=case["input"].get("mean", 0),
        anchors=case["input"].get("anchor", {}),
    )
    got = {rating.bot: rating.elo for rating in ratings.bots}
    assert got == pytest.approx(case["expect"]["ratings"], abs=case["tolerance"]["abs"])
    assert len(ratings.groups) == 1


@pytest.mark.parametrize("case", of_kind("bt_covariance"))
def test_covariance_of_independent_games(case: Case) -> None:
    scores, expect = scores_of(case), case["expect"]
    bots, relative = bots_of(scores), case["tolerance"]["se_rel"]
    first = next(iter(expect["rating_minus_first"]))
    wins = build_crosstable(scores, bots).wins
    theta = fit(wins, np.full(len(bots), np.nan))
    elo = dict(zip(bots, theta * ELO, strict=True))
    difference = {bot: elo[bot] - elo[first] for bot in bots}
    assert difference == pytest.approx(
        expect["rating_minus_first"], abs=case["tolerance"]["rating_abs"]
    )

    a = inverse_information(wins + wins.T, theta, np.zeros(len(bots), dtype=bool)) * ELO**2
    alone = dict(zip(bots, np.sqrt(np.diag(a)), strict=True))
    assert alone == pytest.approx(expect["se_of_rating_mean_zero"], rel=relative)
    for names, error in expect["se_of_difference"].items():
        i, j = (bots.index(name) for name in names.split("-"))
        assert np.sqrt(a[i, i] + a[j, j] - 2 * a[i, j]) == pytest.approx(error, rel=relative)


@pytest.mark.parametrize("case", of_kind("bt_covariance"))
def test_errors_of_differences_do_not_depend_on_the_anchor(case: Case) -> None:
    scores = scores_of(case)
    bots = bots_of(scores)
    wins = build_crosstable(scores, bots).wins
    theta = fit(wins, np.full(len(bots), np.nan))
    anchored = inverse_information(wins + wins.T, theta, np.arange(len(bots)) == 1)
    assert not anchored[1].any()
    for names, error in case["expect"]["se_of_difference"].items():
        i, j = (bots.index(name) for name in names.split("-"))
        variance = anchored[i, i] + anchored[j, j] - 2 * anchored[i, j]
        assert ELO * np.sqrt(variance) == pytest.approx(error, rel=1e-4)


@pytest.mark.parametrize("case", of_kind("bt_cluster_covariance"))
def test_covariance_clustered_by_board(case: Case) -> None:
    """Ours has no correction; that of the other figures is for N games, k free ratings."""
    scores = [MatchScore(*row) for row in case["input"]["pairs"]]
    bots, relative = bots_of(scores), case["tolerance"]["se_rel"]
    ratings = rate(scores, bots, mean=0)
    got = {rating.bot: rating.elo for rating in ratings.bots}
    assert got == pytest.approx(case["expect"]["ratings"], abs=case["tolerance"]["rating_abs"])

    boards = sum(score.boards for score in scores)
    free = len(bots) - 1
    uncorrected = case["expect"]["se_of_difference_pair_cluster_no_correction"]
    corrected = case["expect"]["se_of_difference_pair_cluster_G_over_Gm1_times_Nm1_over_Nmk"]
    for a, b in combinations(bots, 2):
        difference = ratings.difference(a, b)
        assert difference is not None
        assert difference.error is not None
        se = difference.error / two_sided(0.95, difference.freedom or 0)
        assert se == pytest.approx(uncorrected[f"{a}-{b}"], rel=relative)
        factor = boards / (boards - 1) * (2 * boards - 1) / (2 * boards - free)
        assert se * np.sqrt(factor) == pytest.approx(corrected[f"{a}-{b}"], rel=relative)


@pytest.mark.parametrize("case", of_kind("bt_cluster_covariance"))
def test_boards_are_not_taken_as_independent_games(case: Case) -> None:
    scores = [MatchScore(*row) for row in case["input"]["pairs"]]
    bots = bots_of(scores)
    ratings = rate(scores, bots)
    wins = build_crosstable(scores, bots).wins
    theta = fit(wins, np.full(len(bots), np.nan))
    a = inverse_information(wins + wins.T, theta, np.zeros(len(bots), dtype=bool))
    for names, error in case["expect"]["se_of_difference_iid_games"].items():
        i, j = (bots.index(name) for name in names.split("-"))
        se = ELO * np.sqrt(a[i, i] + a[j, j] - 2 * a[i, j])
        assert se == pytest.approx(error, rel=1e-3)
        difference = ratings.difference(*names.split("-"))
        assert difference is not None
        assert difference.error is not None
        assert difference.error / two_sided(0.95, difference.freedom or 0) < 0.8 * se


@pytest.mark.parametrize("case", of_kind("bt_connectivity"))
def test_connectivity(case: Case) -> None:
    scores = scores_of(case)
    bots = bots_of(scores)
    played = build_crosstable(scores, bots)
    groups = find_groups(played.boards, played.wins > 0)
    assert [[bots[i] for i in group.bots] for group in groups] == case["expect"]["groups"]
    assert len({group.island for group in groups}) == 2
    assert any("Never met" in notice for notice in rate(scores, bots).notices)


@pytest.mark.parametrize("case", of_kind("bt_ratings_map"))
def test_ratings_with_a_prior(case: Case) -> None:
    """alpha penalises theta^2 without a factor 1/2: the prior's variance is 1 / (2 alpha)."""
    scores = scores_of(case)
    prior = ELO / np.sqrt(2 * case["input"]["alpha"])
    ratings = rate(scores, bots_of(scores), mean=0, prior=prior)
    got = {rating.bot: rating.elo for rating in ratings.bots}
    assert got == pytest.approx(case["expect"]["ratings"], abs=case["tolerance"]["abs"])
    assert [rating.bound for rating in ratings.bots] == [None] * len(got)


@pytest.mark.parametrize("case", of_kind("bt_goodness_of_fit"))
def test_a_table_that_no_ratings_fit(case: Case) -> None:
    """Deviance supposes independent games, so it is not printed; what it shows must be shown."""
    assert case["expect"]["ratings_all_equal"]
    scores = scores_of(case)
    ratings = rate(scores, bots_of(scores))
    assert len({round(rating.elo or 0, 6) for rating in ratings.bots}) == 1
    for games in games_of(case):
        a, b, won, lost, _ = games
        (found,) = [one for one in ratings.misfits if {one.a, one.b} == {a, b}]
        assert found.chance < 1e-3
        assert (found.won, found.games) == (max(won, lost), won + lost)


@pytest.mark.parametrize("case", of_kind("bt_goodness_of_fit"))
def test_without_boards_the_misfit_is_the_root_of_the_deviance(case: Case) -> None:
    """Games that stand alone: three residuals on one degree of freedom, each with all of it."""
    scores = [
        MatchScore(a, b, 0, 0, 0, others=((Cluster(1, 2), won), (Cluster(1, 0), lost)))
        for a, b, won, lost, _ in games_of(case)
    ]
    pearson = [one.standard_errors**2 for one in rate(scores, bots_of(scores)).misfits]
    # Pearson's statistic is 300 * 0.2^2 / (0.5 * 0.5) = 48, its variances being those under the
    # fit; here a match of so many games has its own, 0.7 * 0.3 about 0.7 and the misfit with it.
    assert pearson == pytest.approx([48 * 299 / 300] * 3, rel=0.01)
    assert case["expect"]["residual_deviance"] == pytest.approx(pearson[0], rel=0.05)


@pytest.mark.parametrize("case", of_kind("multiple_comparisons"))
def test_holm(case: Case) -> None:
    adjusted = holm(case["input"]["p_values"])
    assert adjusted == pytest.approx(case["expect"]["adjusted"], abs=case["tolerance"]["abs"])
    rejected = [chance < case["input"]["alpha"] for chance in adjusted]
    assert rejected == case["expect"]["reject"]


@pytest.mark.parametrize("case", of_kind("elo_from_pairs"))
def test_elo_of_a_match_of_whole_boards(case: Case) -> None:
    """Ratings are those of a joint fit, so for two bots the difference is the match's Elo."""
    counts = case["input"]
    if counts.get("LD") or counts.get("WD") or counts.get("DD"):
        score = with_draws(counts)
    else:
        score = MatchScore("a", "b", counts["WW"], counts["WL"], counts["LL"])
    ratings = rate([score], "ab")
    difference = ratings.difference("a", "b")
    assert difference is not None
    elo_abs = case["tolerance"].get("elo_abs", case["tolerance"].get("abs"))
    assert difference.elo == pytest.approx(case["expect"]["elo"], abs=elo_abs)
    # The others' interval is the one of the score, turned into Elo at both ends, with the normal
    # quantile and no correction for few boards; ours is that of the logit.
    assert difference.error is not None
    factor = 1.959964 / two_sided(0.95, difference.freedom or 0)
    assert difference.error * factor == pytest.approx(case["expect"]["elo_error"], rel=0.01)
    assert difference.better is not None
    expected = case["expect"]["los_percent"]
    assert 100 * difference.better == pytest.approx(expected, abs=0.02)


def with_draws(counts: dict[str, int]) -> MatchScore:
    """Pairs of games of which some were drawn, as clusters of two games."""
    half_points = {"LL": 0, "LD": 1, "WL": 2, "DD": 2, "WD": 3, "WW": 4}
    others = tuple((Cluster(2, half), counts[kind]) for kind, half in half_points.items())
    return MatchScore("a", "b", 0, 0, 0, others=others)


@pytest.mark.parametrize("case", of_kind("elo_from_wdl"))
def test_elo_of_games_that_stand_alone(case: Case) -> None:
    counts = case["input"]
    others = tuple(
        (Cluster(1, half), counts[kind])
        for kind, half in (("wins", 2), ("draws", 1), ("losses", 0))
    )
    difference = rate([MatchScore("a", "b", 0, 0, 0, others=others)], "ab").difference("a", "b")
    assert difference is not None
    assert difference.elo == pytest.approx(case["expect"]["elo"], abs=case["tolerance"]["abs"])
    assert difference.error == pytest.approx(case["expect"]["elo_error"], rel=0.05)


NOT_APPLICABLE = {"win_rate_interval"}
"""Wilson's interval of a share of independent games: no such interval is printed."""
ELSEWHERE = {"sprt_llr"}
"""In test_sprt.py."""


def test_every_case_is_used() -> None:
    here = Path(__file__).read_text("utf-8")
    for case in CASES:
        kind = case["kind"]
        assert kind in NOT_APPLICABLE | ELSEWHERE or f'of_kind("{kind}")' in here, kind
