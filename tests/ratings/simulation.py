"""Tournaments drawn from known strengths: do intervals and ranks hold as often as they say?

``python -m tests.ratings.simulation --replications 2000 --seed 1``. Only results are drawn, no
game is played. Each board has a luck L ~ N(0, sd) of its own: the first bot wins one of its games
with chance sigma(m + L), the other with sigma(m - L), where m keeps the mean of both at the chance
that the true ratings give. The wider L, the more boards are split: correlation of their two games.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, islice

import click
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import expit
from tabulate import tabulate

from arena.ratings.rate import rate
from arena.ratings.ratings import Ratings
from arena.ratings.scale import ELO
from arena.ratings.scores import MatchScore
from arena.ratings.sprt import Sprt, SprtState

Floats = NDArray[np.float64]

SPREAD = (60.0, 40.0, 20.0, 0.0, -20.0, -40.0, -60.0, -80.0)
EQUAL = (0.0,) * 8
TWO = (15.0, -15.0)

_CONFIDENCE = 0.95
_AT_ONCE = 256
"""Boards drawn together, because that is faster."""
_NODES = np.linspace(-8, 8, 4001)
_WEIGHTS = np.exp(-(_NODES**2) / 2) / np.exp(-(_NODES**2) / 2).sum()
"""Of a standard normal distribution: its integrals as sums."""


@dataclass(frozen=True)
class Setting:
    """A full round robin, again and again."""

    elo: tuple[float, ...]
    """The true ratings."""
    boards: int
    """Of each match."""
    correlation: float
    """Between the two games of a board of equal bots."""

    def __str__(self) -> str:
        kind = "equal" if len(set(self.elo)) == 1 else "unequal"
        return f"{len(self.elo)} {kind}, {self.boards} boards, {self.correlation:g}"

    @property
    def truth(self) -> dict[str, float]:
        """The bots by name, in the order of their names."""
        return {f"bot{number:03}": elo for number, elo in enumerate(self.elo)}

    @property
    def matches(self) -> list[tuple[str, str]]:
        """The two bots of each match."""
        return list(combinations(self.truth, 2))


SETTINGS = (
    *(Setting(SPREAD, boards, rho) for boards in (5, 20, 100) for rho in (0.0, -0.4, -0.6)),
    *(Setting(EQUAL, boards, rho) for boards in (5, 20, 100) for rho in (0.0, -0.4, -0.6)),
    *(Setting(TWO, boards, rho) for boards in (20, 100) for rho in (0.0, -0.4, -0.6)),
)

SPRTS = tuple((Sprt(0, elo1), rho) for elo1 in (20, 50) for rho in (0.0, -0.4, -0.6))
"""Sequential tests, and the correlation that they meet."""


def luck_of(correlation: float) -> float:
    """Return the standard deviation of luck for which games of equal bots correlate like this."""
    if correlation == 0:
        return 0.0

    def excess(sd: float) -> float:
        win = expit(sd * _NODES)
        return float(_WEIGHTS @ (win * (1 - win))) * 4 - 1 - correlation

    sd: float = brentq(excess, 0.0, 100.0)
    return sd


def chances_of_boards(setting: Setting) -> Floats:
    """Return for each match the chances that its first bot wins none, one or both of the games."""
    luck = luck_of(setting.correlation) * _NODES
    gaps = [a - b for a, b in combinations(setting.elo, 2)]
    cells = {gap: _cells(gap / ELO, luck) for gap in set(gaps)}
    return np.array([cells[gap] for gap in gaps])


def _cells(gap: float, luck: Floats) -> tuple[float, float, float]:
    chance = expit(gap)
    reach = abs(gap) * 100 + 1e-9
    m = brentq(lambda m: _WEIGHTS @ expit(m + luck) - chance, -reach, reach)
    one, other = expit(m + luck), expit(m - luck)
    both, none = float(_WEIGHTS @ (one * other)), float(_WEIGHTS @ ((1 - one) * (1 - other)))
    return none, 1 - none - both, both


@dataclass(frozen=True)
class Judged:
    """What was said of one tournament beside the truth. In Elo; nan where nothing was said."""

    misses: Floats
    """By match: how far the difference of its bots is off."""
    errors: Floats
    """By match: half width of the interval of that difference."""
    row_misses: Floats
    """By bot: the same against the mean of the fitted bots, as in the table."""
    row_errors: Floats
    ranks_hold: bool
    """Whether the rank ranges of all bots contain the truth at once."""


def tournaments(setting: Setting, seed: int) -> Iterator[list[MatchScore]]:
    """Draw the results of one tournament after the other, without an end."""
    random = np.random.default_rng(seed)
    chances = chances_of_boards(setting)
    while True:
        drawn = random.multinomial(setting.boards, chances).tolist()
        yield [
            MatchScore(*match, won_both, split, lost_both)
            for match, (lost_both, split, won_both) in zip(setting.matches, drawn, strict=True)
        ]


def judge(ratings: Ratings, setting: Setting) -> Judged:
    """Compare ratings of mean 0 with the truth."""
    truth = setting.truth
    misses, errors = np.array([_apart(ratings, a, b, truth) for a, b in setting.matches]).T
    row_misses, row_errors = np.array([_row(ratings, bot, truth) for bot in truth]).T
    ranks_hold = all(_rank_holds(ratings, bot, truth) for bot in truth)
    return Judged(misses, errors, row_misses, row_errors, ranks_hold)


def _apart(ratings: Ratings, a: str, b: str, truth: Mapping[str, float]) -> tuple[float, float]:
    said = ratings.difference(a, b)
    if said is None or said.error is None:
        return math.nan, math.nan
    return abs(said.elo - (truth[a] - truth[b])), said.error


def _row(ratings: Ratings, bot: str, truth: Mapping[str, float]) -> tuple[float, float]:
    said = ratings.of(bot)
    if said.elo is None or said.error is None or said.group is None:
        return math.nan, math.nan
    mean = statistics.fmean(truth[one] for one in ratings.groups[said.group].fitted)
    return abs(said.elo - (truth[bot] - mean)), said.error


def _rank_holds(ratings: Ratings, bot: str, truth: Mapping[str, float]) -> bool:
    """Whether a range contains all ranks that are true: equal bots share theirs."""
    said = ratings.of(bot)
    if said.rank is None or said.group is None:
        return True
    peers = ratings.groups[said.group].bots
    better = sum(truth[one] > truth[bot] for one in peers)
    worse = sum(truth[one] < truth[bot] for one in peers)
    return said.rank[0] <= 1 + better and len(peers) - worse <= said.rank[1]


@dataclass(frozen=True)
class Share:
    """A share of what was drawn."""

    value: float
    error: float
    """Its standard error: what is drawn in one tournament goes together."""

    @classmethod
    def of(cls, each: Floats) -> Share:
        """Return the mean of the shares of single tournaments, nan for those without."""
        known = each[~np.isnan(each)]
        return cls(float(known.mean()), float(known.std() / math.sqrt(known.size)))

    def __str__(self) -> str:
        return f"{100 * self.value:.2f} ±{100 * self.error:.2f}"


@dataclass(frozen=True)
class Found:
    """What came of many tournaments of a setting."""

    setting: Setting
    covered: Share
    """Differences whose interval contains the truth, of those with an interval."""
    unknown: float
    """Share of differences without one."""
    rows_covered: Share
    ranks_hold: Share
    """Tournaments whose rank ranges all hold."""
    said: float
    """Half width of the intervals of differences, in Elo: the median."""
    true: float
    """Half width that would contain the truth 95 times in 100."""


def simulate(setting: Setting, replications: int, seed: int) -> Found:
    """Draw and rate so many tournaments."""
    bots = list(setting.truth)
    judged = [
        judge(rate(scores, bots, mean=0, confidence=_CONFIDENCE), setting)
        for scores in islice(tournaments(setting, seed), replications)
    ]
    misses = np.stack([one.misses for one in judged])
    errors = np.stack([one.errors for one in judged])
    row_misses = np.stack([one.row_misses for one in judged])
    row_errors = np.stack([one.row_errors for one in judged])
    return Found(
        setting,
        covered=Share.of(_covered(misses, errors)),
        unknown=float(np.isnan(errors).mean()),
        rows_covered=Share.of(_covered(row_misses, row_errors)),
        ranks_hold=Share.of(np.array([float(one.ranks_hold) for one in judged])),
        said=float(np.nanmedian(errors)),
        true=float(np.nanquantile(misses, _CONFIDENCE)),
    )


def _covered(misses: Floats, errors: Floats) -> Floats:
    """Return the share of intervals that hold in each tournament, nan where there are none."""
    known = (~np.isnan(errors)).sum(axis=1)
    held = (misses <= errors).sum(axis=1)
    return np.where(known > 0, held / np.maximum(known, 1), np.nan)


@dataclass(frozen=True)
class Stopped:
    """What came of many matches that went on until an SPRT was decided."""

    wrong: Share
    """Decided for the hypothesis that is not so."""
    boards: float
    """Until then, on average."""


def stop(test: Sprt, elo: float, correlation: float, replications: int, seed: int) -> Stopped:
    """Play so many matches between bots that are `elo` apart, one of the test's two hypotheses."""
    random = np.random.default_rng(seed)
    (chances,) = chances_of_boards(Setting((elo, 0.0), 1, correlation))
    right = {test.elo0: "H0", test.elo1: "H1"}[elo]
    ends = [_decided(test, random, chances) for _ in range(replications)]
    return Stopped(
        Share.of(np.array([float(end.decision != right) for end in ends])),
        statistics.fmean(end.boards for end in ends),
    )


def _decided(test: Sprt, random: np.random.Generator, chances: Floats) -> SprtState:
    """Add one board after the other until the test is decided."""
    counts = [0, 0, 0]
    while True:
        for won in random.choice(3, size=_AT_ONCE, p=chances).tolist():
            counts[won] += 1
            state = test.state((counts[0], counts[1], counts[2]))
            if state.decision is not None:
                return state


@click.command()
@click.option("--replications", default=2000, show_default=True, help="Tournaments a setting.")
@click.option("--seed", default=1, show_default=True)
def main(replications: int, seed: int) -> None:
    """Simulate all settings and print what came of each."""
    rows = []
    for setting in SETTINGS:
        rows.append(_row_of(simulate(setting, replications, seed)))
        click.echo("  ".join(rows[-1]), err=True)
    click.echo(tabulate(rows, _HEAD, disable_numparse=True, stralign="right"))
    rows = []
    for test, correlation in SPRTS:
        rows.append(_row_of_sprt(test, correlation, replications, seed))
        click.echo("  ".join(rows[-1]), err=True)
    click.echo()
    click.echo(tabulate(rows, _SPRT_HEAD, disable_numparse=True, stralign="right"))


_HEAD = (
    *("bots, boards, correlation", "luck", "differences %", "unknown %", "rows %"),
    *("ranks %", "± said", "± true"),
)


def _row_of(found: Found) -> tuple[str, ...]:
    return (
        str(found.setting),
        f"{luck_of(found.setting.correlation):.2f}",
        str(found.covered),
        f"{100 * found.unknown:.2f}",
        str(found.rows_covered),
        str(found.ranks_hold),
        f"{found.said:.1f}",
        f"{found.true:.1f}",
    )


_SPRT_HEAD = (
    *("SPRT, correlation", "wrong at elo0 %", "wrong at elo1 %", "boards at elo0", "at elo1"),
)


def _row_of_sprt(test: Sprt, correlation: float, replications: int, seed: int) -> tuple[str, ...]:
    ends = [stop(test, elo, correlation, replications, seed) for elo in (test.elo0, test.elo1)]
    return (
        f"{test.elo0:g} or {test.elo1:g} {test.unit}, {correlation:g}",
        *(str(end.wrong) for end in ends),
        *(f"{end.boards:.0f}" for end in ends),
    )


if __name__ == "__main__":
    main()
