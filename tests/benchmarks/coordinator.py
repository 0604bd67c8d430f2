"""What the coordinator takes for each game: ``python -m tests.benchmarks.coordinator``.

It shares its cores with those who play, so its CPU counts as theirs does. Here it runs alone, with
everything on: jobs are done as soon as they are given out, by games of the usual length, and what
that takes is not counted. The store, the log and the plain display are the real ones.
"""

from __future__ import annotations

import json
import random
import resource
import tempfile
from collections.abc import Iterator
from concurrent.futures import Future
from itertools import cycle, pairwise
from pathlib import Path
from time import process_time
from typing import NamedTuple

import click
from msgspec import structs
from tabulate import tabulate

from arena import rules
from arena.referee.record import GameId, GameRecord, Target
from arena.report.progress.displays import PlainDisplay
from arena.report.progress.log import RunLog
from arena.report.progress.told import Telling
from arena.runtime.executor import Job, JobResult, decode_job, encode
from arena.store.store import Store
from arena.tournament.config import load_config
from arena.tournament.entering import enter
from arena.tournament.runner import Runner
from arena.tournament.stopping import Stopping

_BOT = Path(__file__).parents[2] / "bots" / "random_bot.py"
_WORKERS = 2
_MS_PER_GAME = 2.5
"""What a job says it took, so that jobs are as large as those of quick bots."""
_US_PER_S = 1_000_000
_TENTHS = 10
_FEWEST_JOBS = 5 * _TENTHS
"""With fewer, what a tenth takes is chance: games come by whole jobs."""


class Cost(NamedTuple):
    """What the coordinator took of a tournament."""

    games: int
    start_s: float
    """CPU until the first job was given out."""
    us_per_game: float
    """CPU from then on."""
    tenths: tuple[float, ...]
    """The same of each tenth of the games; none if they came in few jobs."""
    grown_mb: float
    """Peak memory at the end, beyond that after the first tenth."""


def random_games(number: int) -> list[GameRecord]:
    """Play games between two random bots by the rules; only their ids mean nothing."""
    known = rules.load("two_handed")
    dice = random.Random(1)
    return [_random_game(known.start(dice.randbytes(32)), dice) for _ in range(number)]


def _random_game(state: rules.base.State, dice: random.Random) -> GameRecord:
    actions, decisions = [], [0, 0]
    while state.to_act is not None:
        decisions[state.to_act] += 1
        actions.append(dice.choice(state.legal()))
        state = state.apply(actions[-1])
    assert state.outcome is not None
    deals = state.finished_deals()
    return GameRecord(
        GameId((), 0, 0),
        state.points,
        state.outcome.winner,
        Target(),
        tuple(decisions),
        (2_000, 2_000),
        64,
        "process",
        cpu_us=(1_900, 1_900),
        lag_us=12,
        dealers=tuple(deal.dealer for deal in deals),
        margins=tuple(deal.points[0] - deal.points[1] for deal in deals),
        actions=tuple(actions),
        times_us=tuple(dice.randrange(5, 60) for _ in actions),
    )


class QuickCrew:
    """Stands in for the workers: whatever is asked is done at once, and how long that took kept."""

    def __init__(self, total: int) -> None:
        """Expect so many games."""
        self._games = cycle(random_games(200))
        self._step = max(1, total // _TENTHS)
        self.given_out = 0
        self.jobs = 0
        self.own_s = 0.0
        """CPU that it took itself."""
        self.moments: list[tuple[int, float, int]] = []
        """Games, CPU of everybody else and peak memory when another tenth of them was there."""

    def submit(self, _: object, payload: bytes) -> Future[bytes]:
        """Do a job."""
        began_s = process_time()
        job = decode_job(payload)
        future: Future[bytes] = Future()
        if job.games and self.given_out >= self._step * len(self.moments):
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            self.moments.append((self.given_out, began_s - self.own_s, peak))
        self.given_out += len(job.games)
        self.jobs += bool(job.games)
        future.set_result(encode(self._played(job)))
        self.own_s += process_time() - began_s
        return future

    def _played(self, job: Job) -> JobResult:
        if job.inspects:
            return JobResult(isolation=job.isolation)
        records = tuple(
            job.kept(structs.replace(next(self._games), id=game.id)) for game in job.games
        )
        return JobResult(records, play_ms=round(len(records) * _MS_PER_GAME))

    def finish(self) -> None:
        """Nothing is running."""

    drop = kill = finish


def coordinate(bots: int, boards: int, **keys: object) -> Cost:
    """Run a tournament of so many bots whose games cost nothing; `keys` go into its config."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "quick.yaml"
        field = [{"name": f"bot_{number:02}", "path": str(_BOT)} for number in range(bots)]
        path.write_text(json.dumps({"seed": 1, "boards": boards, "bots": field, **keys}), "utf-8")
        config = load_config(path)
        with Store.open(Path(config.results)) as store:
            entered = enter(config, store)
            crew = QuickCrew(boards * bots * (bots - 1))
            listeners = [
                PlainDisplay(_say_nothing),
                RunLog(Path(config.results) / "arena.log", _say_nothing),
            ]
            began_s = process_time()
            runner = Runner(
                config,
                entered,
                store,
                crew,
                workers=_WORKERS,
                listener=Telling(listeners, logs=Path(folder)),
                stopping=Stopping(),
            )
            result = runner.run()
            ended_s = process_time() - crew.own_s
    assert result.settled == result.total
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    moments = [*crew.moments, (crew.given_out, ended_s, peak)]
    (_, first_s, _), (_, _, early) = moments[0], moments[1]
    return Cost(
        crew.given_out,
        first_s - began_s,
        (ended_s - first_s) / crew.given_out * _US_PER_S,
        tuple(_between(moments)) if crew.jobs >= _FEWEST_JOBS else (),
        (peak - early) / 1024,
    )


def _say_nothing(_: str) -> None:
    """Take in what nobody wants to read."""


def _between(moments: list[tuple[int, float, int]]) -> Iterator[float]:
    for (games, then_s, _), (more, now_s, _) in pairwise(moments):
        yield (now_s - then_s) / (more - games) * _US_PER_S


_SPRT = {"a": "bot_00", "b": "bot_01", "elo0": 0, "elo1": 1}
_TOURNAMENTS: tuple[tuple[str, int, int, dict[str, object]], ...] = (
    ("2 bots", 2, 10_000, {}),
    ("2 bots, stop.sprt", 2, 10_000, {"stop": {"sprt": _SPRT}}),
    ("2 bots, stop.rating_error", 2, 10_000, {"stop": {"rating_error": 0.1}}),
    ("20 bots", 20, 100, {}),
    ("50 bots", 50, 41, {}),
)


@click.command()
@click.option("--rounds", default=3, show_default=True, help="Measurements of each row.")
@click.option("--scale", default=1.0, show_default=True, help="Share of the boards.")
def main(rounds: int, scale: float) -> None:
    """Measure each tournament `rounds` times in turn and print the least of each."""
    costs: dict[str, list[Cost]] = {}
    for number in range(rounds):
        for name, bots, boards, keys in _TOURNAMENTS:
            cost = coordinate(bots, max(1, round(boards * scale)), **keys)
            costs.setdefault(name, []).append(cost)
        click.echo(f"round {number + 1} of {rounds}", err=True)
    table = []
    for name, each in costs.items():
        least = min(each, key=lambda cost: cost.us_per_game)
        last_to_first = f"{least.tenths[-1] / least.tenths[0]:.2f}" if least.tenths else ""
        row = (f"{least.us_per_game:.1f}", last_to_first, f"{least.grown_mb:.0f}")
        table.append((name, f"{least.games:,}", *row))
    head = ["least CPU of rounds", "games", "us a game", "last tenth : first", "MB grown"]
    click.echo(tabulate(table, head, disable_numparse=True, colalign=("left", *["right"] * 4)))


if __name__ == "__main__":
    main()
