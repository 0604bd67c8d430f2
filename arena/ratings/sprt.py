"""The sequential probability ratio test: whether one bot beats another by enough, board by board.

A board's score is what a bot won of its two games: 0, 1/2 or 1. Nothing but their counts is known
of the boards, so the test is the generalised one: each hypothesis is taken at its most likely
distribution of scores (Van den Bergh, "A practical introduction to the GSPRT", which the test
servers of chess programs follow). Two models say what an Elo difference means for scores:

- ``logistic``: their mean is 1 / (1 + 10^(-elo / 400)), as in the ratings.
- ``normalized``: (mean - 1/2) / standard deviation of a game is elo * ln(10) / 800.

Plain arithmetic on a few counts: no numpy.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

Model = Literal["logistic", "normalized"]
Decision = Literal["H0", "H1"]

BoardCounts = tuple[int, int, int]
"""Complete boards on which A lost both games, won one, won both."""

MODELS: tuple[Model, ...] = get_args(Model)
MOST_ELO = 1_000
"""The furthest from 0 that a hypothesis may be; 1,000 Elo is one game lost of 317."""

Tilts = list[float]
"""By score: the share observed, divided by the most likely share under a hypothesis."""

_GAMES = 2
"""Games in a board's score."""
_EMPTY = 1e-3
"""What a count of 0 is taken for, so that no score is impossible (fishtest, fastchess)."""
_UNSEEN = 0.5
_MOST_STEPS = 200
_PRECISION = 1e-9


@dataclass(frozen=True, slots=True)
class Sprt:
    """A test of "A minus B is `elo0`" (H0) against "A minus B is `elo1`" (H1)."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    """Chance that H1 is accepted although H0 is so, at most."""
    beta: float = 0.05
    """Chance that H0 is accepted although H1 is so, at most."""
    model: Model = "logistic"

    def __post_init__(self) -> None:
        """Raise `ValueError` for a test that cannot be made."""
        if not -MOST_ELO <= self.elo0 < self.elo1 <= MOST_ELO:
            raise ValueError(f"not {-MOST_ELO} <= elo0 < elo1 <= {MOST_ELO}")
        if not (self.alpha > 0 and self.beta > 0 and self.alpha + self.beta < 1):
            raise ValueError("alpha and beta must be above 0, and together below 1")
        if self.model not in MODELS:
            raise ValueError(f"no model {self.model!r}")

    @property
    def lower(self) -> float:
        """The LLR at which H0 is accepted (Wald 1945)."""
        return math.log(self.beta) - math.log1p(-self.alpha)

    @property
    def upper(self) -> float:
        """The LLR at which H1 is accepted."""
        return math.log1p(-self.beta) - math.log(self.alpha)

    @property
    def unit(self) -> str:
        """What the hypotheses are given in."""
        return f"{self.model} Elo"

    def state(self, boards: BoardCounts) -> SprtState:
        """Return how the test stands after these boards."""
        llr = log_likelihood_ratio(boards, self.elo0, self.elo1, self.model, games=_GAMES)
        llr /= _overstatement(boards)
        decision: Decision | None = None
        if llr >= self.upper:
            decision = "H1"
        elif llr <= self.lower:
            decision = "H0"
        return SprtState(self, boards, llr, decision)


@dataclass(frozen=True, slots=True)
class SprtState:
    """How a test stands."""

    test: Sprt
    counts: BoardCounts
    llr: float
    """Logarithm of the likelihood ratio of H1 to H0, corrected for few boards."""
    decision: Decision | None
    """The hypothesis that is accepted; None: neither yet."""

    @property
    def boards(self) -> int:
        """Complete boards so far."""
        return sum(self.counts)

    def sentence(self, a: str, b: str) -> str:
        """Say for people what is tested, how it stands, and why."""
        test = self.test
        boards = f"after {self.boards} board{'' if self.boards == 1 else 's'}"
        if self.decision is None:
            so = f"undecided {boards}: LLR {self.llr:.2f}"
            so += f" lies between the bounds {test.lower:.2f} and {test.upper:.2f}"
        else:
            name, bound = ("upper", test.upper) if self.decision == "H1" else ("lower", test.lower)
            so = f"{self.decision} accepted {boards}: LLR {self.llr:.2f}"
            so += f" reached the {name} bound {bound:.2f}, so {self._meaning(a, b)}"
        return (
            f"SPRT of {a} minus {b}, H0: {test.elo0:g} {test.unit}, H1: {test.elo1:g} {test.unit}"
            f" (alpha {test.alpha:g}, beta {test.beta:g}): {so}."
        )

    def _meaning(self, a: str, b: str) -> str:
        """Say what the decision means for somebody who knows nothing of tests."""
        test = self.test
        if self.decision == "H1":
            if test.elo0 >= 0:
                return f"{a} is better than {b}"
            return f"{a} is not {-test.elo0:g} Elo worse than {b}"
        if test.elo1 <= 0:
            return f"{b} is better than {a}"
        return f"{a} is not {test.elo1:g} Elo better than {b}"


def log_likelihood_ratio(
    counts: Sequence[float], elo0: float, elo1: float, model: Model, *, games: int
) -> float:
    """Return ln(likelihood under `elo1` / likelihood under `elo0`), both at their most likely.

    `counts`: how often each of the equally spaced scores from 0 to 1 came, two at least; `games`:
    of how many games each score is (the model ``normalized`` must know). Without any count it
    is 0. Always finite for hypotheses up to `MOST_ELO`.
    """
    if not any(counts):
        return 0.0
    weights = [count or _EMPTY for count in counts]
    tilts = _tilts_to_mean if model == "logistic" else _tilts_to_effect
    of_h0, of_h1 = (tilts(weights, elo, games) for elo in (elo0, elo1))
    return sum(w * math.log(d0 / d1) for w, d0, d1 in zip(weights, of_h0, of_h1, strict=True))


def _overstatement(counts: Sequence[float]) -> float:
    """Return the factor by which so few boards make the ratio too large.

    That of Bartlett for the mean, 1 + (kurtosis / 2 - skewness^2 / 3) / n (DiCiccio, Hall and
    Romano 1991). With 1/2 added to each count, since the first boards say little of either.
    """
    weights = [count + _UNSEEN for count in counts]
    n = sum(weights)
    mean = sum(i * w for i, w in enumerate(weights)) / n
    second, third, fourth = (
        sum(w * (i - mean) ** power for i, w in enumerate(weights)) / n for power in (2, 3, 4)
    )
    return 1 + (fourth / second**2 / 2 - third**2 / second**3 / 3) / n


def _tilts_to_mean(weights: Sequence[float], elo: float, games: int) -> Tilts:  # noqa: ARG001
    """Tilt to the mean score that a logistic Elo difference stands for."""
    above = 1 / (1 + math.pow(10, elo / 400))
    below = 1 / (1 + math.pow(10, -elo / 400))
    top = len(weights) - 1
    # The score minus the mean, exact also where the mean is close to 1.
    return _tilts(weights, [(i * above - (top - i) * below) / top for i in range(top + 1)])


def _tilts_to_effect(weights: Sequence[float], elo: float, games: int) -> Tilts:
    """Tilt to the (mean - 1/2) / standard deviation that a normalized Elo difference stands for.

    With b = score - 1/2 this is E[b] = r sqrt(E[b^2]), r = t / sqrt(1 + t^2), and for the root
    c of E[b^2] it is linear: E[b - r (b^2 / c + c) / 2] = 0. At the least c for which that can
    be met all scores must be 1, so the tilted E[b^2] is above c^2; at 1/2 it is not. Between
    them a c is found for which both are equal.
    """
    t = math.sqrt(games) * elo * math.log(10) / 800
    r = t / math.sqrt(1 + t * t)
    top = len(weights) - 1
    scores = [i / top - 0.5 for i in range(top + 1)]

    def tilts(c: float) -> Tilts:
        return _tilts(weights, [b - r * (b * b / c + c) / 2 for b in scores])

    def spread(c: float) -> float:
        parts = zip(weights, scores, tilts(c), strict=True)
        return math.sqrt(sum(w * b * b / tilt for w, b, tilt in parts) / sum(weights))

    low, high = (1 - math.sqrt(1 - r * r)) / (2 * abs(r)) if r else 0.0, 0.5
    c = high
    for _ in range(_MOST_STEPS):
        found = spread(c)
        low, high = (c, high) if found > c else (low, c)
        if abs(found - c) < _PRECISION or high - low < _PRECISION:
            break
        c = found if low < found < high else (low + high) / 2
    return tilts(c)


def _tilts(weights: Sequence[float], deviations: Sequence[float]) -> Tilts:
    """Return 1 + x d for each d of `deviations`, so that these have the mean 0 when tilted.

    Of all distributions with that mean weight / (1 + x d) is the most likely one, x the root of
    sum weight d / (1 + x d) (empirical likelihood: Owen 1988). The sum falls from infinity to
    minus infinity where no tilt is below 0, so Newton's steps are kept between two bounds.
    """
    low, high = -1 / max(deviations), -1 / min(deviations)
    x = 0.0
    for _ in range(_MOST_STEPS):
        excess = slope = 0.0
        for weight, d in zip(weights, deviations, strict=True):
            part = d / (1 + x * d)
            excess += weight * part
            slope += weight * part * part
        low, high = (x, high) if excess > 0 else (low, x)
        before, x = x, x + excess / slope
        if not low < x < high:
            x = (low + high) / 2
        if abs(x - before) <= _PRECISION * (1 + abs(x)):
            break
    return [1 + x * d for d in deviations]
