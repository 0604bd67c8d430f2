"""The sequential test: right answers of others, its laws, and how often it errs."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from arena.ratings.sprt import MODELS, MOST_ELO, BoardCounts, Model, Sprt, log_likelihood_ratio

CASES = [
    case
    for case in json.loads((Path(__file__).parents[1] / "data" / "ratings.json").read_text())
    if case["kind"] == "sprt_llr"
]
GAMES, BOARDS = 1, 2
COUNT = st.one_of(st.integers(0, 5), st.integers(0, 10**7))
COUNTS = st.tuples(COUNT, COUNT, COUNT)
ELO = st.one_of(st.floats(-20, 20), st.floats(-MOST_ELO, MOST_ELO))


def counts_of(given: dict[str, Any]) -> tuple[tuple[int, ...], int]:
    """The counts by score, and of how many games each score is."""
    if "wins" in given:
        return (given["losses"], given["draws"], given["wins"]), GAMES
    even = given["WL_or_DD"] if "WL_or_DD" in given else given["WL"] + given["DD"]
    return (given["LL"], given["LD"], even, given["WD"], given["WW"]), BOARDS


def test_there_are_cases() -> None:
    assert {case["input"]["model"] for case in CASES} == set(MODELS)


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in CASES])
def test_others_compute_the_same(case: dict[str, Any]) -> None:
    given, expected, tolerance = case["input"], case["expect"], case["tolerance"]
    counts, games = counts_of(given)
    elo = given["elo0"], given["elo1"]
    llr = log_likelihood_ratio(counts, *elo, given["model"], games=games)
    assert llr == pytest.approx(expected["llr"], abs=tolerance["llr_abs"])
    test = Sprt(*elo, given["alpha"], given["beta"], given["model"])
    bounds = pytest.approx((expected["lower"], expected["upper"]), abs=tolerance["bounds_abs"])
    assert (test.lower, test.upper) == bounds
    if "state" in expected and len(counts) == 3:
        lost, split, won = counts
        decision = test.state((lost, split, won)).decision
        assert (decision or "continue") == expected["state"]


@pytest.mark.parametrize(
    ("counts", "elo"),
    [
        ((120, 640, 150), (20, 60)),
        ((3, 5, 9), (50, 300)),
        ((0, 20, 0), (-700, -300)),
        ((20, 0, 0), (-1000, -900)),
        ((1, 0, 30), (-300, 100)),
    ],
)
@pytest.mark.parametrize("model", MODELS)
def test_no_other_distribution_of_three_scores_is_more_likely(
    counts: BoardCounts, elo: tuple[float, float], model: Model
) -> None:
    """Found by trying them all: three shares with one condition are a line."""
    best = [max(likelihoods(counts, one, model)) for one in elo]
    llr = log_likelihood_ratio(counts, *elo, model, games=BOARDS)
    assert llr == pytest.approx(best[1] - best[0], abs=5e-3)


def likelihoods(counts: BoardCounts, elo: float, model: Model) -> list[float]:
    """ln(likelihood) of many distributions that an Elo difference may stand for."""
    lost, split, won = (count or 1e-3 for count in counts)
    found = []
    for step in range(1, 50_000):
        if model == "logistic":
            mean = 1 / (1 + 10 ** (-elo / 400))
            both = max(0.0, 2 * mean - 1) + step / 50_000 * (mean - max(0.0, 2 * mean - 1))
            one = 2 * (mean - both)
        else:
            t = math.sqrt(2) * elo * math.log(10) / 800
            mean = 0.5 + math.copysign(step / 100_000, t)
            square = mean**2 + ((mean - 0.5) / t) ** 2
            one, both = 4 * (mean - square), 2 * square - mean
        none = 1 - one - both
        if min(none, one, both) > 0:
            found.append(lost * math.log(none) + split * math.log(one) + won * math.log(both))
    return found


@given(COUNTS, ELO, ELO, st.sampled_from(MODELS))
def test_any_counts_and_hypotheses_give_a_finite_number(
    counts: BoardCounts, elo: float, other: float, model: Model
) -> None:
    assert math.isfinite(log_likelihood_ratio(counts, elo, other, model, games=BOARDS))


@given(COUNTS, ELO, ELO, st.sampled_from(MODELS))
def test_the_same_test_of_b_minus_a_has_the_opposite_sign(
    counts: BoardCounts, elo0: float, elo1: float, model: Model
) -> None:
    llr = log_likelihood_ratio(counts, elo0, elo1, model, games=BOARDS)
    exchanged = log_likelihood_ratio(counts[::-1], -elo1, -elo0, model, games=BOARDS)
    assert exchanged == pytest.approx(-llr, rel=1e-6, abs=1e-6)


@given(COUNTS, ELO, ELO)
def test_a_board_won_in_place_of_a_worse_one_speaks_for_the_higher_elo(
    counts: BoardCounts, elo: float, other: float
) -> None:
    assume(elo != other)
    low, high = sorted((elo, other))
    lost, split, won = counts
    better = [(lost - 1, split + 1, won), (lost, split - 1, won + 1), (lost - 1, split, won + 1)]
    llr = log_likelihood_ratio(counts, low, high, "logistic", games=BOARDS)
    for one in better:
        if min(one) >= 0:
            more = log_likelihood_ratio(one, low, high, "logistic", games=BOARDS)
            # A count of 0 is taken for a thousandth of a board, which may weigh some Elo.
            assert more >= llr - 1e-2 * max(1, abs(llr))


@given(COUNTS, ELO, st.sampled_from(MODELS))
def test_equal_hypotheses_are_equally_likely(counts: BoardCounts, elo: float, model: Model) -> None:
    assert log_likelihood_ratio(counts, elo, elo, model, games=BOARDS) == 0


@pytest.mark.parametrize("model", MODELS)
def test_boards_that_all_come_out_the_same_do_not_decide_at_once(model: Model) -> None:
    test = Sprt(0, 30, model=model)
    states = {
        counts: test.state(counts) for n in (1, 3) for counts in ((n, 0, 0), (0, n, 0), (0, 0, n))
    }
    assert all(state.decision is None for state in states.values())
    assert test.state((0, 0, 200)).decision == "H1"
    assert test.state((200, 0, 0)).decision == "H0"
    assert test.state((0, 500, 0)).decision == "H0", "no bot is better by 30 Elo and wins no board"
    between = Sprt(-30, 30, model=model)
    assert between.state((0, 100_000, 0)).llr == pytest.approx(0, abs=1e-6)
    assert between.state((0, 0, 0)).llr == 0


def shares(elo: float, test: Sprt, split: float) -> tuple[float, float, float]:
    """A distribution of boards with such an Elo difference: lost, split, won both."""
    if test.model == "logistic":
        mean = 1 / (1 + 10 ** (-elo / 400))
    else:  # variance (1 - split - (2 mean - 1)^2) / 4, so t^2 var = (mean - 1/2)^2 is linear in it
        t = math.sqrt(2) * elo * math.log(10) / 800
        mean = 0.5 + math.copysign(0.5 * math.sqrt(t * t * (1 - split) / (1 + t * t)), t)
    ahead = 2 * mean - 1
    assert abs(ahead) < 1 - split
    return (1 - split - ahead) / 2, split, (1 - split + ahead) / 2


def chances(test: Sprt, chance: tuple[float, float, float], boards: int) -> dict[str, float]:
    """How often each hypothesis is accepted within so many boards: exact, by counting all ways."""
    ends: dict[str, float] = defaultdict(float)
    going = {(0, 0, 0): 1.0}
    for _ in range(boards):
        following: dict[BoardCounts, float] = defaultdict(float)
        for (lost, split, won), weight in going.items():
            following[lost + 1, split, won] += weight * chance[0]
            following[lost, split + 1, won] += weight * chance[1]
            following[lost, split, won + 1] += weight * chance[2]
        going = {}
        for counts, weight in following.items():
            if weight > 1e-9:
                decision = test.state(counts).decision
                if decision is None:
                    going[counts] = weight
                else:
                    ends[decision] += weight
    ends["going"] = sum(going.values())
    return ends


@pytest.mark.parametrize(
    ("test", "split"),
    [
        pytest.param(Sprt(0, 200), 0.4, id="logistic, some split"),
        pytest.param(Sprt(-60, 60), 0.7, id="logistic, most split"),
        pytest.param(Sprt(-150, 150, 0.05, 0.05, "normalized"), 0.5, id="normalized"),
    ],
)
def test_it_errs_as_seldom_as_it_promises(test: Sprt, split: float) -> None:
    under_h0 = chances(test, shares(test.elo0, test, split), 80)
    under_h1 = chances(test, shares(test.elo1, test, split), 80)
    assert under_h0["H1"] <= test.alpha
    assert under_h1["H0"] <= test.beta
    # And not because it never decides.
    assert under_h0["going"] + under_h1["going"] < 0.01


@pytest.mark.parametrize("split", [0.5, 0.7, 0.8])
def test_few_boards_that_are_mostly_split_do_not_err_more_often(split: float) -> None:
    """A dozen boards decide. Uncorrected it would be 11.7 % for 0.8."""
    test = Sprt(0, 60, 0.1, 0.1)
    assert chances(test, shares(60, test, split), 80)["H0"] <= test.beta
    assert chances(test, shares(0, test, split), 80)["H1"] <= test.alpha


def test_the_correction_is_that_of_many_boards_none() -> None:
    counts = (12_000, 64_000, 15_000)
    raw = log_likelihood_ratio(counts, 0, 10, "logistic", games=BOARDS)
    assert Sprt(0, 10).state(counts).llr == pytest.approx(raw, rel=1e-4)
    few = (3, 16, 4)
    raw = log_likelihood_ratio(few, 0, 10, "logistic", games=BOARDS)
    assert 0.5 * raw < Sprt(0, 10).state(few).llr < raw


@pytest.mark.parametrize(
    "wrong",
    [
        {"elo0": 5, "elo1": 5},
        {"elo0": 6, "elo1": 5},
        {"elo0": math.nan, "elo1": 5},
        {"elo0": 0, "elo1": math.inf},
        {"elo0": -MOST_ELO - 1, "elo1": 5},
        {"alpha": 0},
        {"beta": 0},
        {"alpha": 0.5, "beta": 0.5},
        {"alpha": math.nan},
        {"model": "bayesian"},
    ],
)
def test_a_test_that_cannot_be_made_is_refused(wrong: dict[str, Any]) -> None:
    settings: dict[str, Any] = {"elo0": 0, "elo1": 5} | wrong
    with pytest.raises(ValueError, match=r"elo0|alpha|model"):
        Sprt(**settings)


def test_what_people_are_told() -> None:
    test = Sprt(0, 20.5, 0.05, 0.1)
    what = (
        "SPRT of monte minus theirs, H0: 0 logistic Elo, H1: 20.5 logistic Elo"
        " (alpha 0.05, beta 0.1): "
    )
    assert test.state((0, 0, 1)).sentence("monte", "theirs") == (
        what + "undecided after 1 board: LLR 0.04 lies between the bounds -2.25 and 2.89."
    )
    assert test.state((10, 50, 60)).sentence("monte", "theirs") == (
        what + "H1 accepted after 120 boards: LLR 4.73 reached the upper bound 2.89,"
        " so monte is better than theirs."
    )
    assert test.state((60, 50, 10)).sentence("monte", "theirs") == (
        what + "H0 accepted after 120 boards: LLR -5.29 reached the lower bound -2.25,"
        " so monte is not 20.5 Elo better than theirs."
    )


def test_what_a_decision_means_lies_on_the_side_of_the_hypotheses() -> None:
    said = Sprt(-30, 0).state((0, 50, 60)).sentence("a", "b")
    assert said.endswith("so a is not 30 Elo worse than b.")
    assert Sprt(-30, 0).state((60, 50, 0)).sentence("a", "b").endswith("so b is better than a.")


def test_it_is_light() -> None:
    code = "import sys, arena.ratings.sprt; print({'numpy', 'scipy'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
