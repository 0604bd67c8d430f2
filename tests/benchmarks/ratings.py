"""How fast ratings come, beside choix, and what they take: ``python -m tests.benchmarks.ratings``.

Speed: the table of 20 bots and 200,000 games. Ours is timed from match scores, and from rows of
single games, to finished ratings; choix gets its list of games ready-made, and only its fit is
timed. Memory: the peak of `arena rankings` on the results of 100 bots and 1,000,000 games.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import choix
import click
import numpy as np
from tabulate import tabulate

from arena.ratings.rate import rate
from arena.ratings.ratings import Ratings
from arena.ratings.scale import ELO
from arena.ratings.scores import GameRow, MatchScore, match_scores
from tests.benchmarks.synthetic import rows, write_results
from tests.benchmarks.watched import MB, Spent, arena_words, watched
from tests.ratings.simulation import Setting, tournaments

_OURS, _RIVAL = "arena, from match scores", "choix.opt_pairwise"
_TARGET_RATIO = 20
_TARGET_MB = 500
_SAME_ELO = 0.01


def drawn(bots: int, games: int) -> list[MatchScore]:
    """Draw a full round robin of at least so many games."""
    boards = -(-games // (bots * (bots - 1)))
    elo = tuple(float(value) for value in np.linspace(200, -200, bots))
    return next(tournaments(Setting(elo, boards, -0.4), seed=1))


def ways(scores: list[MatchScore]) -> dict[str, Callable[[], object]]:
    """Return ways to fit the same games, each with all that it wants made beforehand."""
    bots = sorted({bot for score in scores for bot in (score.a, score.b)})
    place = {bot: number for number, bot in enumerate(bots)}
    played = list(rows(scores))
    games = [(place[row.winner], place[_loser(row)]) for row in played]
    wins = np.zeros((len(bots), len(bots)))
    np.add.at(wins, tuple(np.array(games).T), 1)
    fits = {
        "choix.ilsr_pairwise_dense": partial(choix.ilsr_pairwise_dense, wins),
        "choix.ilsr_pairwise": partial(choix.ilsr_pairwise, len(bots), games),
        _RIVAL: partial(choix.opt_pairwise, len(bots), games),
    }
    return {
        _OURS: partial(rate, scores, bots, mean=0),
        "arena, from rows of games": lambda: rate(match_scores(played), bots, mean=0),
        **fits,
    }


def _loser(row: GameRow) -> str:
    return row.match[row.winner == row.match[0]]


def seconds(scores: list[MatchScore], rounds: int) -> dict[str, list[float]]:
    """Time all ways in turn, and see that they come to the same."""
    taken: dict[str, list[float]] = {}
    for number in range(rounds):
        found = {}
        for name, way in ways(scores).items():
            began_s = time.perf_counter()
            found[name] = way()
            taken.setdefault(name, []).append(time.perf_counter() - began_s)
        _require_same(found)
        click.echo(f"round {number + 1} of {rounds}", err=True)
    return taken


def _require_same(found: dict[str, object]) -> None:
    ours = found[_OURS]
    assert isinstance(ours, Ratings)
    elo = {rating.bot: rating.elo or 0.0 for rating in ours.bots}
    theirs = np.asarray(found[_RIVAL])
    apart = np.array([elo[bot] for bot in sorted(elo)]) - ELO * (theirs - theirs.mean())
    assert np.abs(apart).max() < _SAME_ELO


def cost_of_rankings(bots: int, games: int) -> tuple[int, Spent]:
    """Store results, rank them; return their games, and what that took."""
    with tempfile.TemporaryDirectory() as folder:
        scores = drawn(bots, games)
        config = write_results(Path(folder), scores)
        spent = watched(arena_words("rankings", str(config), "--json"))
    return sum(2 * score.boards for score in scores), spent


@click.command()
@click.option("--rounds", default=3, show_default=True, help="Measurements of each way.")
@click.option("--scale", default=1.0, show_default=True, help="Share of the games.")
def main(rounds: int, scale: float) -> None:
    """Measure speed `rounds` times in turn and memory once, and print both."""
    taken = seconds(drawn(20, round(200_000 * scale)), rounds)
    base = taken[_OURS]
    table = []
    for name, each in taken.items():
        ratios = sorted(one / ours for one, ours in zip(each, base, strict=True))
        table.append(
            (
                name,
                f"{statistics.median(each):.3f}",
                f"{statistics.median(ratios):,.1f}",
                f"{ratios[0]:,.1f}-{ratios[-1]:,.1f}",
                f"{_TARGET_RATIO}" if name == _RIVAL else "",
            )
        )
    head = ["median of rounds", "seconds", "x ours", "lowest-highest", "at least"]
    click.echo(tabulate(table, head, disable_numparse=True, colalign=("left", *["right"] * 4)))
    games, spent = cost_of_rankings(100, round(1_000_000 * scale))
    click.echo(
        f"\npeak of arena rankings, 100 bots, {games:,} games: {spent.peak_bytes / MB:.0f}"
        f" MB (under {_TARGET_MB}), {spent.wall_s:.1f} s"
    )


if __name__ == "__main__":
    main()
