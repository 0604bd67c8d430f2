"""How large a ratio of two sums over boards is, and how sure that is.

All that happens on a board hangs on the same cards, so boards are the units (clusters), and what
lies within one is never taken as independent. Whole numbers until the last step: nothing is lost
to rounding, however many boards there are and in whatever order they come.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import NamedTuple

HalfWidth = Callable[[int], float]
"""How many standard errors half an interval is wide, by the number of boards it rests on."""

_FEWEST_BOARDS = 2
"""To see how much boards differ."""


class Estimate(NamedTuple):
    """What is known of a number."""

    value: float | None = None
    """None: nothing."""
    error: float | None = None
    """Half width of its interval.

    None where the boards say nothing about it: there are fewer than two, or they do not differ,
    which would make the interval falsely exact.
    """


class Ratio(NamedTuple):
    """sum(x) / sum(n) over some boards: the sums that it and its variance are made of."""

    boards: int = 0
    x: int = 0
    n: int = 0
    xx: int = 0
    """Sum of x * x; the other two likewise."""
    xn: int = 0
    nn: int = 0

    @classmethod
    def of_boards(cls, x: int, n: int, boards: int = 1) -> Ratio:
        """Return what so many boards bring, each the same: nothing if n is 0."""
        if not n:
            return cls()
        return cls(boards, *(boards * each for each in (x, n, x * x, x * n, n * n)))

    def plus(self, other: Ratio) -> Ratio:
        """Return the ratio over the boards of both, which share none."""
        return Ratio(*[one + another for one, another in zip(self, other, strict=True)])

    @property
    def spread(self) -> int:
        """n^2 times the sum of (x - r n)^2, r = sum(x) / sum(n): a whole number."""
        return self.n**2 * self.xx - 2 * self.n * self.x * self.xn + self.x**2 * self.nn

    def turned(self) -> Ratio:
        """Return the ratio of -x."""
        return self._replace(x=-self.x, xn=-self.xn)

    def estimate(self, half_width: HalfWidth) -> Estimate:
        """Estimate r = sum(x) / sum(n).

        Over G boards its variance is G / (G - 1) * sum((x - r n)^2) / sum(n)^2: the ratio estimator
        of Cochran, Sampling Techniques (3rd edition, 1977), chapter 6, for boards without end.
        """
        if not self.n:
            return Estimate()
        if self.boards < _FEWEST_BOARDS or not self.spread:
            return Estimate(self.x / self.n)
        variance = self.boards * self.spread / ((self.boards - 1) * self.n**4)
        return Estimate(self.x / self.n, half_width(self.boards) * math.sqrt(variance))


def over_matches(ratios: Iterable[Ratio], half_width: HalfWidth) -> Estimate:
    """Estimate sum(x) / sum(n) over several matches, whose numbers of boards are given.

    Only what boards of a match differ by is chance; what matches differ by is whom they are
    against. So the variances add up (stratified: Cochran, chapter 6), over the degrees of freedom
    of all matches together. A match of one board has none and takes the mean of the others.
    """
    known = [ratio for ratio in ratios if ratio.n]
    x, n = sum(ratio.x for ratio in known), sum(ratio.n for ratio in known)
    if not n:
        return Estimate()
    judged = [ratio for ratio in known if ratio.boards >= _FEWEST_BOARDS]
    freedom = sum(ratio.boards - 1 for ratio in judged)
    squares = sum(r.boards / (r.boards - 1) * (r.spread / r.n**2) for r in judged)
    boards = sum(ratio.boards for ratio in judged)
    if not squares:
        return Estimate(x / n)
    whole = sum(ratio.boards for ratio in known) / boards
    return Estimate(x / n, half_width(freedom + 1) * math.sqrt(squares * whole) / n)
