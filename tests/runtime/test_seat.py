"""Which game pays for which fault: jobs of simulated bots, without processes and clocks."""

from __future__ import annotations

from collections import Counter
from itertools import count, permutations
from typing import cast

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from jobs import SHORT, games, timeless
from simulated import KINDS, LOSES_PROCESS, Key, SimulatedBot, Simulation, lost, new_seat

from arena import rules
from arena.referee.events import Ask, GameStarted, SeatLost
from arena.referee.fault import Fault
from arena.referee.record import GameRecord
from arena.runtime.peer import Lost, Peer
from arena.runtime.table import Table

CRASH = Fault("crash", "exited 1 between its decisions")


def simulate(
    *bots: SimulatedBot, count: int = 12, tables: int | None = 1
) -> tuple[Simulation, dict[int, GameRecord]]:
    job = Simulation(bots, count, tables)
    records = job.play()
    assert sorted(records) == list(range(count)), "every game is played"
    return job, records


# the same fault at the same decision


@pytest.mark.parametrize("tables", [1, 2, 16, 64])
@pytest.mark.parametrize("misdeed", KINDS)
@pytest.mark.parametrize("seat", [0, 1])
def test_a_fault_at_one_decision_loses_the_same_game_at_any_number_of_tables(
    seat: int, misdeed: str, tables: int
) -> None:
    bots = [SimulatedBot(), SimulatedBot()]
    bots[seat] = SimulatedBot(bad={(7, 2): misdeed})
    _, records = simulate(*bots, count=20, tables=tables)
    assert lost(records) == {7: KINDS[misdeed]}
    assert lost(records, seat) == {7: KINDS[misdeed]}
    assert len(records[7].actions) > 2


DECISIONS = st.tuples(st.integers(0, 11), st.integers(0, 4))
MISDEEDS = st.dictionaries(DECISIONS, st.sampled_from(sorted(KINDS)), max_size=6)


@settings(max_examples=40)
@given(MISDEEDS, MISDEEDS, st.integers(2, 20))
def test_records_do_not_depend_on_the_number_of_tables(
    bad_0: dict[Key, str], bad_1: dict[Key, str], tables: int
) -> None:
    """For bots whose answers and misdeeds are a function of the decision."""
    _, alone = simulate(SimulatedBot(bad_0), SimulatedBot(bad_1))
    _, together = simulate(SimulatedBot(bad_0), SimulatedBot(bad_1), tables=tables)
    assert timeless(together) == timeless(alone)
    for bad, seat in ((bad_0, 0), (bad_1, 1)):
        for game, kind in lost(alone, seat).items():
            assert kind in {KINDS[what] for (n, _), what in bad.items() if n == game}


# a fault that does not happen again


@pytest.mark.parametrize("misdeed", ["crash", "garble", "flood"])
def test_a_frame_that_failed_costs_its_first_game_if_nothing_faults_again(misdeed: str) -> None:
    bad = SimulatedBot(once={(5, 0): misdeed})
    job, records = simulate(bad, SimulatedBot(), tables=8)
    assert list(lost(records).values()) == [KINDS[misdeed]]
    assert bad.processes == 2
    assert job.seats[0].stalls == 0
    assert job.tables.most == 8


def test_after_a_failed_frame_its_decisions_are_asked_one_by_one_and_first() -> None:
    bad = SimulatedBot(once={(5, 0): "crash"})
    simulate(bad, SimulatedBot(), tables=8)
    failed, *later = bad.frames
    assert len(failed) > 2
    assert later[: len(failed)] == [[key] for key in failed]
    assert len(later[len(failed)]) > 1


def test_a_late_frame_costs_nobody_a_game_but_halves_the_tables() -> None:
    bad = SimulatedBot(once={(5, 0): "hang"})
    job, records = simulate(bad, SimulatedBot(), tables=8)
    assert lost(records) == {}
    assert (job.seats[0].stalls, job.seats[1].stalls) == (1, 0)
    assert job.tables.most == 4


def test_the_tables_are_halved_each_time_but_one_is_left() -> None:
    bad = SimulatedBot(once={(game, 0): "hang" for game in range(12)})
    job, records = simulate(bad, SimulatedBot(), count=20, tables=4)
    assert job.tables.most == 1
    assert job.seats[0].stalls >= 2
    assert all(record.winner in {0, 1} for record in records.values())


def test_a_late_frame_of_one_decision_is_a_timeout_even_if_it_is_late_only_once() -> None:
    bad = SimulatedBot(once={(5, 1): "hang"})
    _, records = simulate(bad, SimulatedBot(), tables=1)
    assert lost(records) == {5: "timeout"}


def test_each_decision_of_a_failed_frame_that_faults_again_loses_its_own_game_only() -> None:
    bad = SimulatedBot(bad={(1, 0): "crash", (3, 0): "hang", (4, 0): "illegal", (6, 0): "fail"})
    _, records = simulate(SimulatedBot(), bad, tables=8)
    assert lost(records, 1) == {1: "crash", 3: "timeout", 4: "illegal", 6: "crash"}
    assert lost(records, 0) == {}


@pytest.mark.parametrize("misdeed", KINDS)
def test_a_frame_costs_nothing_more_if_one_of_its_decisions_faults_again(misdeed: str) -> None:
    probe = SimulatedBot()
    simulate(probe, SimulatedBot(), tables=8)
    first, *_, last = probe.frames[0]
    bad = SimulatedBot(bad={last: misdeed}, once={first: "crash"})
    _, records = simulate(bad, SimulatedBot(), tables=8)
    assert lost(records) == {last[0]: KINDS[misdeed]}


@settings(max_examples=60)
@given(
    st.dictionaries(DECISIONS, st.sampled_from(sorted(LOSES_PROCESS)), max_size=5),
    st.integers(1, 12),
    st.integers(0, 1),
)
def test_a_fault_never_costs_more_than_one_game_nor_an_opponent_any(
    once: dict[Key, str], tables: int, seat: int
) -> None:
    bots = [SimulatedBot(), SimulatedBot()]
    bots[seat] = bad = SimulatedBot(once=once)
    _, records = simulate(*bots, tables=tables)
    assert lost(records, 1 - seat) == {}
    assert len(lost(records)) <= len(bad.losses)
    assert bool(lost(records)) >= any(loss != "hang" for loss in bad.losses)


@settings(max_examples=100)
@given(
    st.dictionaries(DECISIONS, st.sampled_from(["crash", "garble", "flood"]), max_size=5),
    st.lists(st.booleans(), max_size=8),
    st.integers(1, 12),
    st.integers(0, 1),
)
def test_each_fault_and_each_failed_start_costs_exactly_one_game(
    once: dict[Key, str], starts: list[bool], tables: int, seat: int
) -> None:
    bots = [SimulatedBot(), SimulatedBot()]
    bots[seat] = bad = SimulatedBot(once=once)
    job = Simulation(bots, 60, tables)
    job.starts[seat] = [True, *starts]
    records = job.play()
    failed = [True, *starts][: len(starts) + 1 - len(job.starts[seat])].count(False)
    assert lost(records, 1 - seat) == {}
    assert Counter(lost(records, seat).values()) == Counter(
        [KINDS[loss] for loss in bad.losses] + ["no_start"] * failed
    )


# faults while no answer is owed


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("tables", [1, 6])
def test_a_fault_between_decisions_falls_on_the_next_one(seat: int, tables: int) -> None:
    job = Simulation([SimulatedBot(), SimulatedBot()], 12, tables)
    deaths = iter([CRASH])

    def die_once(job: Simulation) -> None:
        if len(job.tables.records) >= 3 and job.is_idle(seat) and (fault := next(deaths, None)):
            job.lose(seat, fault)

    job.before_turn = die_once
    records = job.play()
    assert next(deaths, None) is None, "it died"
    assert list(lost(records, seat).values()) == ["crash"]
    assert lost(records, 1 - seat) == {}
    assert len(records) == 12


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_of_several_games_that_wait_the_first_of_the_schedule_pays(order: tuple[int, ...]) -> None:
    seat, peer = new_seat(0)
    seat.take(peer.start(), has_games=False)
    peers = cast("list[Peer]", [peer, peer])
    loaded = rules.load("two_handed", SHORT)
    some = [Table(game, place, loaded, peers) for place, game in enumerate(games(12))]
    asks = {table: first_ask(table) for table in some}
    tables = [table for table, ask in asks.items() if ask.seat == 0][:3]
    for number in order:
        seat.post(tables[number], asks[tables[number]])
    assert seat.take(Lost(CRASH, ()), has_games=True) == [(tables[0], SeatLost(0, CRASH))]
    seat.take(peer.start(), has_games=True)
    seat.repeat()
    assert seat.take(Lost(CRASH, ()), has_games=True) == [(tables[1], SeatLost(0, CRASH))]


def test_a_bot_that_dies_without_a_game_open_is_started_again_at_no_cost() -> None:
    seat, peer = new_seat(0)
    seat.take(peer.start(), has_games=False)
    assert seat.take(Lost(CRASH, ()), has_games=False) == []
    assert seat.may_start


def test_a_bot_in_debt_has_no_new_process_before_it_is_paid() -> None:
    """Else how many faults it commits would depend on how long its opponent thinks."""
    seat, peer = new_seat(0)
    seat.take(peer.start(), has_games=False)
    assert seat.take(Lost(CRASH, ()), has_games=True) == []
    assert not seat.may_start
    job = Simulation([SimulatedBot(), SimulatedBot()], 1, 1)
    job.start()
    job.open_tables()
    ((table, _),) = job.tables._open.items()
    assert table.asking is not None
    assert seat.post(table, table.asking) == [(table, SeatLost(0, CRASH))]
    assert seat.may_start


# stalls


@example({}, {(0, 0): "crash"}, {2, 3, 4}, 3, 1)  # every game of the frame on trial is void
@settings(max_examples=150)
@given(
    st.dictionaries(DECISIONS, st.sampled_from(sorted(KINDS)), max_size=4),
    st.dictionaries(DECISIONS, st.sampled_from(sorted(LOSES_PROCESS)), max_size=4),
    st.sets(st.integers(0, 60), max_size=8),
    st.integers(1, 12),
    st.integers(0, 1),
)
def test_a_stall_voids_what_is_asked_and_a_fault_still_costs_one_game_at_most(
    bad: dict[Key, str], once: dict[Key, str], stalls: set[int], tables: int, seat: int
) -> None:
    bots = [SimulatedBot(), SimulatedBot()]
    bots[seat] = SimulatedBot(bad, once)
    job = Simulation(bots, 12, tables)
    frames = count()

    def stall(job: Simulation) -> None:
        if next(frames) in stalls:
            job.tables.void_unanswered("arena_stall")

    job.before_answer = stall
    records = job.play()
    void = [one.id.board for one in job.tables.voids]
    assert sorted([*records, *void]) == list(range(12)), "every game ends once"
    assert lost(records, 1 - seat) == {}
    assert len(lost(records)) <= len(bots[seat].losses) + len(bad)
    for simulated in bots:
        assert {game for game, ended in simulated.ends.items() if ended == "void"} <= set(void)
    honest = bots[1 - seat].ends
    assert all(honest[game] == "void" for game in void if game in honest)


# tables


def first_ask(table: Table) -> Ask:
    (ask,) = table.referee.handle(GameStarted())
    assert isinstance(ask, Ask)
    return ask


def test_what_the_bots_do_not_accept_is_not_in_force() -> None:
    bots = [SimulatedBot(max_tables=3), SimulatedBot()]
    job, _ = simulate(*bots, tables=64)
    assert max(map(len, bots[0].frames)) <= 3
    assert {record.tables for record in job.tables.records} == {3}
    modest, _ = simulate(SimulatedBot(max_tables=1), SimulatedBot(), count=40, tables=None)
    assert all(seat.is_fast for seat in modest.seats)
    assert {record.tables for record in modest.tables.records} == {1}


def test_what_is_halved_is_the_number_of_tables_in_force() -> None:
    bad = SimulatedBot(once={(5, 0): "hang"}, max_tables=8)
    job, _ = simulate(bad, SimulatedBot(), tables=64)
    assert job.tables.most == 4


# speed


def test_many_tables_are_opened_once_both_bots_are_fast() -> None:
    job, _ = simulate(SimulatedBot(), SimulatedBot(), count=120, tables=None)
    assert job.tables.most == 64
    assert max(map(len, job.bots[0].frames)) > 16
    assert {record.tables for record in job.tables.records} == {1, 64}


def test_one_table_is_played_as_long_as_one_bot_is_slow() -> None:
    job, _ = simulate(SimulatedBot(), SimulatedBot(elapsed_us=1_001), count=40, tables=None)
    assert set(map(len, job.bots[0].frames)) == {1}
    assert {record.tables for record in job.tables.records} == {1}


def test_a_bot_whose_frame_came_late_is_not_given_many_tables_again() -> None:
    bad = SimulatedBot(once={(100, 0): "hang"})
    job, records = simulate(bad, SimulatedBot(), count=400, tables=None)
    assert lost(records) == {}
    assert job.seats[0].stalls == 1
    assert job.tables.most == 32


def test_a_bot_is_fast_once_it_has_answered_often_enough_in_under_a_millisecond() -> None:
    job = Simulation([SimulatedBot(), SimulatedBot()], 30, 1)
    assert not job.seats[0].is_fast
    job.play()
    assert job.seats[0].is_fast
    assert job.seats[1].is_fast
