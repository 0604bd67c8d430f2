"""Who is told what of a run, and how often the standings are worked out."""

from __future__ import annotations

from pathlib import Path

import pytest
from runs import Clock, lost, standings, won

from arena.errors import ArenaError
from arena.referee.record import GameResult
from arena.report.progress.events import FaultSeen, RunFinished, fault_seen
from arena.report.progress.told import Interim, Listener, Telling
from arena.report.standings import Standings

STANDINGS = standings("a", "b")
LOGS = Path("/nowhere")


class Ear(Listener):
    """Keeps what it is told, in order."""

    def __init__(self) -> None:
        self.heard: list[object] = []

    def begun(self, *, settled: int, total: int) -> None:
        self.heard.append((settled, total))

    def played(self, record: GameResult) -> None:
        self.heard.append(record)

    def faulted(self, fault: FaultSeen) -> None:
        self.heard.append(fault)

    def advanced(self, settled: int) -> None:
        self.heard.append(settled)

    def ranked(self, standings: Standings) -> None:
        self.heard.append(standings)

    def notice(self, text: str) -> None:
        self.heard.append(text)

    def ended(self, end: RunFinished) -> None:
        self.heard.append(end)


def test_every_listener_is_told_everything_in_order() -> None:
    ears = Ear(), Ear()
    telling = Telling(ears, logs=LOGS)
    telling.notice("beforehand")
    telling.begun(settled=3, total=9)
    telling.played([won(), lost("crash")])
    telling.advanced(5)
    telling.ranked(STANDINGS)
    telling.ended(code=130, signal="SIGINT")
    for ear in ears:
        assert ear.heard == [
            "beforehand",
            (3, 9),
            won(),
            lost("crash"),
            fault_seen(lost("crash"), LOGS),
            5,
            STANDINGS,
            RunFinished(5, 9, complete=False, signal="SIGINT", error=None, exit=130),
        ]


def test_a_listener_need_not_care() -> None:
    telling = Telling([Listener()], logs=LOGS)
    telling.begun(settled=0, total=1)
    telling.played([lost("crash")])
    telling.advanced(1)
    telling.ranked(STANDINGS)
    telling.notice("this")
    telling.ended(code=0)


# interim standings


class Costly:
    """Standings that take their time."""

    def __init__(self, clock: Clock, seconds: float) -> None:
        self._clock = clock
        self._seconds = seconds
        self.made_s: list[float] = []

    def __call__(self) -> Standings:
        self.made_s.append(self._clock.now_s - 1000)
        self._clock.now_s += self._seconds
        return STANDINGS


@pytest.mark.parametrize(
    ("cost_s", "made_s"), [(0.0, [0, 2, 4, 6, 8]), (0.25, [0, 5.25, 10.5]), (1, [0, 21, 42])]
)
def test_standings_take_a_twentieth_of_a_run_and_come_every_two_seconds(
    cost_s: float, made_s: list[float]
) -> None:
    clock = Clock()
    costly = Costly(clock, cost_s)
    interim = Interim(costly, clock=clock)
    while len(costly.made_s) < len(made_s):
        assert (interim.due() is not None) == (clock.now_s - cost_s - 1000 in made_s)
        clock.now_s += 0.25
    assert costly.made_s == made_s


class Clumsy(Listener):
    """Cannot show standings."""

    def ranked(self, standings: Standings) -> None:
        raise ZeroDivisionError(len(standings.tallies))


def told(standings: object, *, settled: int = 0, total: int = 9) -> list[object]:
    """What is heard at a beginning and after two more games."""
    ear, clock = Ear(), Clock()

    def work_out() -> Standings:
        if isinstance(standings, Standings):
            return standings
        raise ArenaError("no such\x1b table")

    telling = Telling([ear], logs=LOGS, interim=Interim(work_out, clock=clock))
    telling.begun(settled=settled, total=total)
    for number in (1, 2):
        clock.now_s += 2
        telling.advanced(settled + number)
    return ear.heard


def test_standings_come_as_games_do() -> None:
    assert told(STANDINGS) == [(0, 9), 1, STANDINGS, 2, STANDINGS]


def test_what_was_played_before_is_ranked_at_once() -> None:
    assert told(STANDINGS, settled=3) == [(3, 9), STANDINGS, 4, STANDINGS, 5, STANDINGS]


def test_a_finished_tournament_has_no_standings_in_between() -> None:
    assert told(STANDINGS, settled=9)[:2] == [(9, 9), 10]


def test_no_run_ends_because_standings_cannot_be_shown() -> None:
    ear = Ear()
    telling = Telling([Clumsy(), ear], logs=LOGS, interim=Interim(lambda: STANDINGS))
    telling.advanced(1)
    telling.advanced(2)
    assert ear.heard == [1, "there is no interim table: 2", 2]


def test_no_run_ends_because_standings_cannot_be_made() -> None:
    assert told(None) == [(0, 9), 1, "there is no interim table: no such\\x1b table", 2]
