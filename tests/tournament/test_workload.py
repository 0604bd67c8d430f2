"""Who plays what when: whole tournaments on a clock of their own, so that no process is needed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from heapq import heappop, heappush

import pytest
from crew import won

from arena.referee.record import GameId, name_of
from arena.runtime.executor import JobResult
from arena.store.rows import Match
from arena.tournament.ledger import Ledger
from arena.tournament.pace import JOB_MS
from arena.tournament.schedule import blocks, matches
from arena.tournament.stops import StopRules
from arena.tournament.workload import Games, Workload

START_MS = 250
"""What the start of two bots takes of a core."""
FAST_MS, SLOW_MS = 2, 80
"""A game of two quick bots, and one of a bot that thinks fifty times as long."""
Cost = Callable[[Match], float]


def even(_: Match) -> float:
    return FAST_MS


def one_is_slow(name: str) -> Cost:
    return lambda match: SLOW_MS if name in map(name_of, match) else FAST_MS


class VirtualRun:
    """A tournament whose jobs take as long as `cost` says, played at once."""

    def __init__(
        self,
        bots: int,
        boards: int,
        cost: Cost,
        *,
        workers: int = 2,
        cores: int | None = None,
        taken: Cost = lambda _: 1,
    ) -> None:
        versions = [f"{chr(ord('a') + number)}@1" for number in range(bots)]
        self.ledger = Ledger(
            matches(versions),
            boards,
            None,
            StopRules(),
            played=lambda _: (),
            voids=(),
            withdrawals=(),
            stops=(),
        )
        self.jobs: list[tuple[float, float, Games]] = []
        """When each began and ended, and the games that it brought."""
        self.workers = workers
        self._boards = boards
        self._cost = cost
        self._taken = taken
        self.workload = Workload(self.ledger, workers, cores=cores)
        self._waiting: list[Games] = []
        self._running: list[tuple[float, int, Games, Games, int]] = []
        """When a job ends, its number, its games, those it will bring, and the play they take."""
        self._now_ms = 0.0
        self._play()

    def _play(self) -> None:
        while True:
            while games := self.workload.next_job(self._given_out()):
                self._waiting.append(games)
                self._begin()
            if not self._running:
                break
            self._now_ms, _, games, played, play_ms = heappop(self._running)
            result = JobResult(
                tuple(map(won, played)), play_ms=play_ms, cores=self._taken(games[0].match)
            )
            self.workload.came_back(games[0].match, result)
            self.ledger.take(games, result.records, ())
            self._begin()

    def _given_out(self) -> list[Games]:
        return self._waiting + [games for _, _, games, *_ in self._running]

    def _begin(self) -> None:
        while self._waiting and len(self._running) < self.workers:
            games = self._waiting.pop(0)
            cost_ms = self._cost(games[0].match)
            played = games[: max(1, int(JOB_MS / cost_ms))]
            play_ms = round(len(played) * cost_ms)
            end_ms = self._now_ms + START_MS + play_ms
            self.jobs.append((self._now_ms, end_ms, played))
            heappush(self._running, (end_ms, len(self.jobs), games, played, play_ms))

    def busy_share(self, until_ms: float) -> float:
        """Return the share of the workers' time until then in which they had a job."""
        busy_ms = sum(min(end, until_ms) - min(begin, until_ms) for begin, end, _ in self.jobs)
        return busy_ms / (until_ms * self.workers)

    @property
    def end_ms(self) -> float:
        """When the last job ended."""
        return max(end for _, end, _ in self.jobs)

    @property
    def last_block_ms(self) -> float:
        """When the last game was begun that is not in the last block of its match."""
        *_, last = blocks(self._boards)
        return max(begin for begin, _, games in self.jobs if games[0].board < last.start)

    def at_once(self, moment_ms: float) -> int:
        """Return how many jobs were played at a moment."""
        return sum(begin <= moment_ms < end for begin, end, _ in self.jobs)

    def asked(self) -> Counter[GameId]:
        return Counter(game for _, _, games in self.jobs for game in games)


@pytest.mark.parametrize("slow", ["a", "e", "j"])
@pytest.mark.parametrize(("boards", "workers"), [(100, 2), (1_000, 2), (100, 8)])
def test_one_slow_bot_among_ten_does_not_hold_up_the_others(
    slow: str, boards: int, workers: int
) -> None:
    run = VirtualRun(10, boards, one_is_slow(slow), workers=workers)
    assert run.busy_share(run.last_block_ms) > 0.99
    assert run.busy_share(run.end_ms) > (0.98 if workers == 2 else 0.8)
    assert max(end - begin for begin, end, _ in run.jobs) <= START_MS + JOB_MS
    assert set(run.asked().values()) == {1}
    assert run.ledger.settled == run.ledger.total


def test_quick_bots_are_started_once_for_each_match_and_seating() -> None:
    run = VirtualRun(20, 100, even)
    assert len(run.jobs) == 190 * 2
    assert run.busy_share(run.end_ms) > 0.99


def test_a_long_match_of_two_is_few_jobs_and_ends_together() -> None:
    run = VirtualRun(2, 10_000, even)
    assert len(run.jobs) <= 12
    assert run.busy_share(run.end_ms) > 0.95


def test_bots_that_nobody_knows_hold_nobody_up() -> None:
    run = VirtualRun(2, 10_000, lambda _: 1_000, workers=4)
    assert max(end - begin for begin, end, _ in run.jobs) <= START_MS + JOB_MS
    assert run.busy_share(run.end_ms) > 0.99
    assert VirtualRun(2, 4, lambda _: 60_000).end_ms < 5 * 60_000


# bots that keep more than one core busy


def test_fewer_jobs_at_a_time_go_out_if_each_takes_several_cores() -> None:
    run = VirtualRun(3, 1_000, even, workers=8, cores=8, taken=lambda _: 4)
    begins = [begin for begin, *_ in run.jobs]
    later = [begin for begin in begins if begin > START_MS + JOB_MS]
    assert max(map(run.at_once, begins)) == 8, "nobody knew before"
    assert max(map(run.at_once, later), default=2) == 2
    assert run.workload.is_held_back
    assert set(run.asked().values()) == {1}
    assert run.ledger.settled == run.ledger.total


@pytest.mark.parametrize(
    ("cores", "taken", "most", "is_held_back"),
    [
        (4, 1.4, 4, False),  # about one
        (4, 1.9, 2, True),
        (4, 3, 1, True),
        (4, 100, 1, True),  # one at least
        (None, 100, 4, False),  # a number of workers is obeyed
    ],
)
def test_how_many_jobs_run_at_once(
    cores: int | None, taken: float, most: int, is_held_back: bool
) -> None:
    run = VirtualRun(2, 2_000, lambda _: 100, workers=4, cores=cores, taken=lambda _: taken)
    middle_ms = run.end_ms / 2
    assert run.at_once(middle_ms) == most
    assert run.workload.is_held_back == is_held_back


def test_only_bots_that_take_several_cores_are_held_back() -> None:
    def taken(match: Match) -> float:
        return 2 if "a@1" in match else 1

    run = VirtualRun(4, 1_000, lambda _: 50, cores=2, taken=taken)
    for begin, end, games in run.jobs[3:]:
        at_once = {run.at_once(moment) for moment in (begin, (begin + end) / 2)}
        assert max(at_once) == (1 if "a@1" in games[0].match else 2) or at_once == {1}
