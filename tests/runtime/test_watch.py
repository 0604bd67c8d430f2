"""What a bot's processes may take together, and whose doing it is if it is too much."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.referee.clock import Limits
from arena.referee.fault import Fault
from arena.runtime import watch
from arena.runtime.tree import Load

MB = 1_000_000
LIMITS = Limits(memory_bytes=100 * MB, processes=8)


def judged(load: Load, closely: int = 0) -> Fault | None:
    return watch.fault_of(load, LIMITS, proportional_memory=lambda: closely)


def test_who_stays_within_its_limits_has_done_nothing() -> None:
    assert judged(Load(100 * MB, 10**9, 8), closely=10**9) is None


def test_memory_is_looked_at_closely_before_it_is_too_much() -> None:
    assert judged(Load(100 * MB + 1, 0, 1), closely=100 * MB) is None
    assert judged(Load(100 * MB + 1, 0, 1), closely=100 * MB + 1) == Fault(
        "memory", "memory limit 100 MB"
    )


def test_too_many_processes_are_a_flood() -> None:
    beyond = judged(Load(0, 0, 8 + 3))
    assert beyond == Fault("flood", "more than 8 processes and threads")
    assert judged(Load(0, 0, 8 + 2)) is None, "a sandbox has two of its own"


@pytest.mark.parametrize(
    "said",
    ["x\nMemoryError", "std::bad_alloc", "java.lang.OutOfMemoryError: x", "fatal: out of memory"],
)
def test_a_program_may_say_itself_that_it_lacked_memory(said: str) -> None:
    assert watch.says_it_lacked_memory(said)
    assert not watch.says_it_lacked_memory("KeyError: 'memory'")


@pytest.mark.parametrize(
    ("cpu_us", "elapsed_ms", "is_busy"),
    [(1_000_000, 1_000, False), (1_500_000, 1_000, True), (1_500_000, 100, False)],
)
def test_one_core_is_not_more_than_one(cpu_us: int, elapsed_ms: int, is_busy: bool) -> None:
    busyness = watch.Busyness()
    busyness.notice(5_000_000, 700)
    busyness.notice(5_000_000 + cpu_us, 700 + elapsed_ms)
    assert busyness.is_busy == is_busy


def test_a_bot_is_busy_that_was_so_lately() -> None:
    busyness = watch.Busyness()
    busyness.notice(0, 0)
    busyness.notice(1_000_000, 200)
    assert busyness.is_busy
    busyness.notice(1_010_000, 300)
    assert busyness.is_busy, "too soon to tell"
    busyness.notice(1_020_000, 500)
    assert not busyness.is_busy


# who computes when nobody waits for it

TURN_US, PAUSE_US = 10_000, 30_000
AFTERMATH_US = 50


def turns(
    cycles: int, in_turn_us: int, in_pause_us: int, *, now_us: int = 5_000_000
) -> watch.Turns:
    """Watch a bot that computes so long in each of its turns, and in each pause before one."""
    found = watch.Turns()
    computed_us = 700
    for _ in range(cycles + 1):  # the first turn is not watched
        found.begin(lambda us=computed_us: us, now_us)  # type: ignore[misc]
        now_us, computed_us = now_us + TURN_US, computed_us + in_turn_us
        found.end(lambda us=computed_us: us, now_us, TURN_US)  # type: ignore[misc]
        now_us, computed_us = now_us + PAUSE_US, computed_us + in_pause_us
    return found


def test_it_takes_a_while_to_know_that_a_bot_computes_in_its_turns_only() -> None:
    assert not turns(1, TURN_US, 0).are_known, "watched for 40 ms"
    assert turns(2, TURN_US, 0).are_known
    assert not turns(2, TURN_US, 0).were_exceeded


@pytest.mark.parametrize(
    ("in_turn_us", "in_pause_us", "were_exceeded"),
    [
        (TURN_US + AFTERMATH_US, AFTERMATH_US, False),
        (0, AFTERMATH_US + 3_000, False),
        (0, PAUSE_US // 5, True),  # sleeps in its turns, so that a sum would not tell
        (TURN_US * 2, 0, True),
    ],
)
def test_who_computes_in_pauses_or_on_two_cores_is_found(
    in_turn_us: int, in_pause_us: int, *, were_exceeded: bool
) -> None:
    assert turns(2, in_turn_us, in_pause_us).were_exceeded == were_exceeded


def test_what_is_watched_depends_on_the_last_bits_of_the_time() -> None:
    for us in (1, 2, 3):
        assert not turns(9, 0, PAUSE_US, now_us=5_000_000 + us).are_known
    assert turns(9, 0, PAUSE_US, now_us=5_000_004).are_known


def look(cpu_us: int, asked_us: int, now_ms: int) -> watch.Look:
    return watch.Look(cpu_us, 0, asked_us, 0, now_ms * 1000)


@pytest.mark.parametrize(
    ("cpu_us", "asked_us", "were_exceeded"),
    [(50_000, 50_000, False), (9_000, 0, False), (11_000, 0, True), (61_000, 50_000, True)],
)
def test_who_computes_in_the_middle_of_a_long_pause_is_found_at_the_next_look(
    cpu_us: int, asked_us: int, *, were_exceeded: bool
) -> None:
    found = watch.Turns()
    found.notice(look(700, 300, 7_000))
    found.notice(look(700 + cpu_us, 300 + asked_us, 7_050))
    assert found.were_exceeded == were_exceeded


def test_whoever_was_once_found_stays_so_in_whatever_process() -> None:
    found = turns(2, TURN_US, PAUSE_US)
    found.begin_anew()
    for now_us in range(6_000_000, 8_000_000, 10_000):
        found.begin(lambda: 10**6, now_us)
        found.end(lambda: 10**6, now_us + 4, 4)
        found.notice(look(10**6, 0, now_us // 1000))
    assert found.were_exceeded


def test_what_is_known_of_a_bot_holds_for_its_next_process_too() -> None:
    found = turns(2, TURN_US, 0)
    found.begin_anew()
    assert found.are_known
    assert not found.were_exceeded


def test_what_is_taken_in_a_pause_of_measuring_is_no_demand() -> None:
    found = watch.Demand()
    found.notice(look(0, 0, 0))
    found.notice(look(500_000, 500_000, 1_000))
    before = found.cores
    found.pause()
    found.notice(look(9_500_000, 500_000, 10_000))
    assert found.cores == before == 0.5


def demand(*looks: tuple[int, int, int], asked_ms: int = 0, turns: int = 0) -> watch.Demand:
    """Return what comes of looks at (CPU time, time waited, both in ms; now)."""
    found = watch.Demand()
    for number, (cpu_ms, waited_ms, now_ms) in enumerate(looks):
        asked = number * asked_ms * 1_000, number * turns
        found.notice(watch.Look(cpu_ms * 1_000, waited_ms * 1_000, *asked, now_ms * 1_000))
    return found


def test_who_waits_for_a_core_wants_it_too() -> None:
    assert demand((70, 9, 100), (1_070, 9, 1_100)).cores == 1
    assert demand((70, 9, 100), (570, 509, 1_100)).cores == 1
    assert demand((70, 9, 100), (1_070, 1_009, 1_100)).cores == 2
    assert demand((0, 0, 0), (0, 0, 1_000), (1_000, 0, 2_000)).cores == 0.5


def test_what_a_bot_wants_is_told_once_it_was_watched_for_long_enough() -> None:
    assert demand().cores == demand((0, 0, 0)).cores == 0
    assert demand((0, 0, 0), (400, 400, 400)).cores == 0


def test_a_fresh_process_takes_nothing_back() -> None:
    assert demand((900, 300, 0), (0, 0, 100), (900, 0, 1_000)).cores == 0.9


@pytest.mark.parametrize(
    ("waited_ms", "asked_ms", "turns", "has_threads"),
    [
        (0, 100, 10, False),  # one core while it is asked
        (20, 100, 10, False),  # something else wanted it, too
        (100, 100, 10, True),  # two, and it got half of them
        (100, 100, 1_000, False),  # too quick to have any
        (100, 20, 10, False),  # not asked for long enough
    ],
)
def test_threads_show_in_what_a_bot_wants_while_it_is_asked(
    waited_ms: int, asked_ms: int, turns: int, has_threads: bool
) -> None:
    found = demand((0, 0, 0), (100, waited_ms, 200), asked_ms=asked_ms, turns=turns)
    assert found.has_threads == has_threads


PIDS = st.integers(1, 30)


@given(
    connections=st.dictionaries(st.sampled_from(["a", "b", "elsewhere"]), st.lists(PIDS)),
    owners=st.dictionaries(PIDS, st.sampled_from([0, 1])),
)
def test_every_connection_is_somebodys(
    connections: dict[str, list[int]], owners: dict[int, int]
) -> None:
    found = watch.crowds(connections, {"a": 0, "b": 1}, owners)
    pids = [*connections.get("a", []), *connections.get("b", [])]
    assert found.total() == len(pids)
    for seat in (0, 1):
        assert found[seat] >= sum(owners.get(pid) == seat for pid in pids)


def test_who_connects_to_anothers_endpoint_is_the_one_that_is_counted() -> None:
    connections = {"a": [10, 20, 20, 99], "b": [20]}
    found = watch.crowds(connections, {"a": 0, "b": 1}, {10: 0, 20: 1})
    assert found == {0: 2, 1: 3}, "99 has gone, so it is the owner's"


def test_how_many_connections_are_too_many() -> None:
    assert watch.too_many_connections(16) is None
    assert watch.too_many_connections(17) == Fault("flood", "more than 16 connections")


def test_how_much_may_be_unfinished() -> None:
    assert watch.unfinished_messages(128 * MB) is None
    fault = watch.unfinished_messages(128 * MB + 1)
    assert fault == Fault("flood", "more than 128 MB of unfinished messages")


SEATS = {"a": 0, "b": 1}
OWNERS = {10: 0, 20: 1}


@pytest.mark.parametrize(
    ("touched", "connections", "seat"),
    [
        ({"a": 1 * MB, "b": 90 * MB}, {"a": [10], "b": [20]}, 1),
        ({"a": 90 * MB, "b": 1 * MB}, {"a": [10], "b": [20]}, 0),
        ({"a": 90 * MB, "b": 1 * MB}, {"a": [10, 20]}, 1),  # it sent to another bot's endpoint
        ({"a": 90 * MB, "b": 1 * MB}, {"a": [99]}, 0),  # it has gone
        ({"a": 90 * MB}, {}, 0),
        ({"b": 400_000}, {"b": [20]}, None),  # it did not do that
        ({"a": 1 * MB, "b": 4 * MB}, {}, 1),  # pages are huge
        ({"a": 1 * MB, "b": 2 * MB}, {}, None),
        ({}, {}, None),
    ],
)
def test_the_flooder_is_whose_sending_made_the_worker_grow(
    touched: dict[str, int], connections: dict[str, list[int]], seat: int | None
) -> None:
    assert watch.flooder(129 * MB, touched, connections, SEATS, OWNERS) == seat
