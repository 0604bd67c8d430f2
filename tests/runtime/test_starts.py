"""What failed starts cost, and what becomes of a job whose bot cannot be started."""

from __future__ import annotations

from collections import Counter

import pytest
from simulated import KINDS, LOSES_PROCESS, Key, SimulatedBot, Simulation, lost

from arena.runtime.executor import FAILED_STARTS


def test_a_failed_start_costs_the_first_game_and_the_next_one_is_played() -> None:
    job = Simulation([SimulatedBot(), SimulatedBot()], 4, 1)
    job.starts[0] = [False]
    assert lost(job.play()) == {0: "no_start"}


@pytest.mark.parametrize("tables", [1, 4])
def test_if_neither_starts_seat_0_is_judged_first(tables: int) -> None:
    job = Simulation([SimulatedBot(), SimulatedBot()], 4, tables)
    job.starts = [[False, False], [False, False]]
    records = job.play()
    assert lost(records, 0) == {0: "no_start", 1: "no_start"}
    assert lost(records, 1) == {2: "no_start", 3: "no_start"}


@pytest.mark.parametrize("tables", [1, 4])
@pytest.mark.parametrize("seat", [0, 1])
def test_each_failed_start_costs_a_game_and_after_three_in_a_row_no_more_are_begun(
    seat: int, tables: int
) -> None:
    job = Simulation([SimulatedBot(), SimulatedBot()], 12, tables)
    job.starts[seat] = [False] * 9
    assert lost(job.play(), seat) == dict.fromkeys(range(FAILED_STARTS), "no_start")
    assert len(job.tables.records) == FAILED_STARTS
    assert job.tables.voids == []
    assert len(job.starts[seat]) == 9 - FAILED_STARTS, "it is not started once more"


def test_failed_starts_are_counted_in_a_row() -> None:
    job = Simulation([SimulatedBot({(4, 0): "crash"}), SimulatedBot()], 12, 1)
    job.starts[0] = [False, False, True, False, False]
    assert lost(job.play(), 0) == {
        0: "no_start",
        1: "no_start",
        4: "crash",
        5: "no_start",
        6: "no_start",
    }
    assert len(job.tables.records) == 12


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("failed", [0, 1, 2])
@pytest.mark.parametrize("misdeed", KINDS)
def test_a_start_that_fails_in_mid_game_costs_a_waiting_game_each_time(
    misdeed: str, failed: int, seat: int
) -> None:
    bots = [SimulatedBot(), SimulatedBot()]
    bots[seat] = SimulatedBot({(7, 1): misdeed})
    job = Simulation(bots, 12, 8)
    job.starts[seat] = [True] + [False] * failed
    records = job.play()
    counts = Counter(lost(records, seat).values())
    repeats = failed if misdeed in LOSES_PROCESS else 0
    assert counts == {KINDS[misdeed]: 1} | ({"no_start": repeats} if repeats else {})
    assert len(records) == 12


@pytest.mark.parametrize("failed", [1, 2])
def test_a_frame_that_failed_once_and_starts_that_failed_after_it_cost_a_game_each(
    failed: int,
) -> None:
    job = Simulation([SimulatedBot(once={(3, 0): "crash"}), SimulatedBot()], 12, 8)
    job.starts[0] = [True] + [False] * failed
    records = job.play()
    assert Counter(lost(records, 0).values()) == {"crash": 1, "no_start": failed}
    assert lost(records, 1) == {}


@pytest.mark.parametrize("at", [(3, 0), (3, 2)])
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("tables", [2, 8, 64])
def test_open_games_of_a_bot_that_is_given_up_are_dropped_but_for_those_that_pay(
    tables: int, seat: int, at: Key
) -> None:
    bots = [SimulatedBot(), SimulatedBot()]
    bots[seat] = SimulatedBot({at: "crash"})
    job = Simulation(bots, 70, tables)
    job.starts[seat] = [True] + [False] * 9
    records = job.play()
    paid = Counter(lost(records, seat).values())
    assert paid == {"crash": 1, "no_start": FAILED_STARTS}
    assert lost(records, 1 - seat) == {}
    assert job.tables.voids == []
    assert len(records) < 70
    dropped = {place for place, mark in enumerate(job.marks) if mark} - set(records)
    told = {game for game, ended in bots[1 - seat].ends.items() if ended == "void"}
    assert told <= dropped
    assert bool(told) == bool(dropped) == (tables > FAILED_STARTS)
