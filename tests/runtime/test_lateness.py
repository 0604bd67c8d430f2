"""What the loop is late by, and what follows: in numbers, and in a time that the test holds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from held import HeldBot, HeldProcess, World
from hypothesis import given
from hypothesis import strategies as st
from jobs import bot, forfeits, job, records
from msgspec.structs import replace

from arena.protocol.codec import encode
from arena.referee.clock import Limits
from arena.referee.record import Target
from arena.runtime.executor import JobResult
from arena.runtime.lateness import STALL_NS, USUAL_NS, Lateness, Suspension

MS = 1_000_000
GAMES = 6
UNSEEN_MS = 50
"""A heartbeat: a stop that is over before its end is not seen; the grace is for that."""
TIGHT = Limits(move_ms=50, game_ms=None, start_ms=1_000, grace_ms=UNSEEN_MS)
JUST_IN_TIME_MS = 45
STALL_MS = STALL_NS // MS
Play = Callable[..., JobResult]


# numbers


@pytest.mark.parametrize("early_ns", [0, 1, 10**9])
def test_whoever_is_in_time_is_not_late(early_ns: int) -> None:
    lateness = Lateness()
    assert lateness.notice(10**9 - early_ns, 10**9) == 0
    assert lateness.total_ns == 0


def test_a_little_late_is_usual_and_more_counts_as_a_whole() -> None:
    lateness = Lateness()
    assert lateness.notice(5 + USUAL_NS, 5) == 0
    assert lateness.notice(6 + USUAL_NS, 5) == USUAL_NS + 1
    assert lateness.total_ns == USUAL_NS + 1


@given(st.lists(st.tuples(st.integers(0, 10**9), st.integers(0, 10**9)), max_size=20))
def test_a_clock_that_is_put_back_stands_still_while_its_reader_is_late(
    rounds: list[tuple[int, int]],
) -> None:
    """Each round is (how long it is to be, by how much it is late)."""
    lateness, real_ns = Lateness(), 0
    for wanted_ns, late_ns in rounds:
        before_ns = real_ns - lateness.total_ns
        real_ns += wanted_ns + late_ns
        noticed_ns = lateness.notice(real_ns - lateness.total_ns, before_ns + wanted_ns)
        assert noticed_ns == (late_ns if late_ns > USUAL_NS else 0)
        shown_ns = real_ns - lateness.total_ns
        assert shown_ns - before_ns == wanted_ns + late_ns - noticed_ns
    assert lateness.total_ns == sum(late_ns for _, late_ns in rounds if late_ns > USUAL_NS)


@given(st.integers(-(10**18), 10**18), st.lists(st.integers(0, 2 * STALL_NS), max_size=20))
def test_a_suspension_is_noticed_once_and_short_ones_do_not_add_up(
    ahead_ns: int, lengths_ns: list[int]
) -> None:
    suspension = Suspension(ahead_ns)
    for length_ns in lengths_ns:
        ahead_ns += length_ns
        assert suspension.notice(ahead_ns) == (length_ns > STALL_NS)
        assert not suspension.notice(ahead_ns)


# jobs


@pytest.fixture
def play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Play:
    def play(world: World, tables: int = 1) -> JobResult:
        bots = [replace(bot(f"{name}@1", limits=TIGHT), argv=(name,)) for name in world.bots]
        result = world.play(job(bots, GAMES, tables=tables), tmp_path, monkeypatch)
        settled = [record.id.board for record in result.records]
        settled += [void.id.board for void in result.voids]
        assert sorted(settled) == list(range(GAMES)), "every game ends once"
        assert {void.cause for void in result.voids} <= {"arena_stall"}
        return result

    return play


MOMENTS_MS = [4, 20, 50, 70, 95, 99, 101, 145, 150, 163, 200]
"""Some while bots are started, some while they think."""


@pytest.mark.parametrize("tables", [1, 4])
@pytest.mark.parametrize("stop", [World.stop_arena, World.stop_all])
@pytest.mark.parametrize("length_ms", [5, 30, 100, STALL_MS - UNSEEN_MS])
@pytest.mark.parametrize("at_ms", MOMENTS_MS)
def test_a_short_stop_is_charged_to_nobody(
    at_ms: float,
    length_ms: float,
    stop: Callable[[World, float, float], None],
    tables: int,
    play: Play,
) -> None:
    world = World(a=HeldBot(JUST_IN_TIME_MS), b=HeldBot(JUST_IN_TIME_MS))
    stop(world, at_ms, length_ms)
    result = play(world, tables)
    assert forfeits(result) == {}
    assert result.voids == ()
    times_us = [time_us for record in records(result) for time_us in record.times_us]
    assert max(times_us) <= (TIGHT.move_ms + TIGHT.grace_ms) * 1000


@pytest.mark.parametrize(
    ("stop", "at_ms"), [*((World.stop_arena, ms) for ms in (60, 80, 95, 99)), (World.stop_all, 51)]
)
def test_after_a_stop_a_bot_has_all_the_time_that_was_left_and_what_came_meanwhile_is_taken(
    stop: Callable[[World, float, float], None], at_ms: float, play: Play
) -> None:
    """Each bot takes all of its time and the grace, and the socket's thread wakes up late too."""
    world = World(a=HeldBot(98), b=HeldBot(98))
    stop(world, at_ms, 100)
    result = play(world)
    assert (forfeits(result), result.voids) == ({}, ())


def test_an_answer_that_came_just_in_time_is_not_late_because_the_loop_is(play: Play) -> None:
    world = World(a=HeldBot(98), b=HeldBot(98))
    world.after(97, lambda: world.wait(11))
    result = play(world)
    assert (forfeits(result), result.voids) == ({}, ())


def test_a_late_loop_waits_for_nothing_but_a_last_answer(play: Play) -> None:
    world = World(a=HeldBot(80), b=HeldBot(80))
    world.stop_arena(30, 60)
    assert forfeits(play(world)) == {}
    assert world.sleeps == 0


def test_after_a_stop_a_bot_that_does_not_answer_is_late_all_the_same(play: Play) -> None:
    world = World(a=HeldBot(misdeed=never_answers, at=(2, 0)), b=HeldBot())
    world.bots["a"].before_misdeed = lambda: world.stop_arena(60, 100)
    result = play(world)
    assert {board: end.fault for board, end in forfeits(result).items()} == {2: "timeout"}
    assert world.sleeps == 1, "the loop is in time again"


@pytest.mark.parametrize("tables", [1, 4])
@pytest.mark.parametrize("stop", [World.stop_arena, World.stop_all])
@pytest.mark.parametrize("at_ms", [m for m in MOMENTS_MS if m > 50])
def test_a_long_stop_voids_the_games_of_which_an_answer_is_awaited_and_no_other(
    at_ms: float, stop: Callable[[World, float, float], None], tables: int, play: Play
) -> None:
    world = World(a=HeldBot(JUST_IN_TIME_MS), b=HeldBot(JUST_IN_TIME_MS))
    stop(world, at_ms, 10 * STALL_MS)
    result = play(world, tables)
    assert forfeits(result) == {}
    assert all(record.end == Target() for record in result.records)
    assert 1 <= len(result.voids) <= tables
    assert world.processes == 2, "its process lives on"


@pytest.mark.parametrize("tables", [1, 4])
@pytest.mark.parametrize("at_ms", [m for m in MOMENTS_MS if m > 50])
def test_a_suspended_machine_voids_the_games_of_which_an_answer_is_awaited(
    at_ms: float, tables: int, play: Play
) -> None:
    world = World(a=HeldBot(JUST_IN_TIME_MS), b=HeldBot(JUST_IN_TIME_MS))
    world.suspend(at_ms, STALL_MS + 1)
    result = play(world, tables)
    assert forfeits(result) == {}
    assert all(record.end == Target() for record in result.records)
    assert 1 <= len(result.voids) <= tables
    assert world.processes == 2, "its process lives on"


@pytest.mark.parametrize(
    ("at_ms", "length_ms", "is_shown"),
    [(70, STALL_MS, True), (70, 100 * STALL_MS, False), (0.5, 100 * STALL_MS, True)],
)
def test_a_suspension_that_is_short_or_unseen_or_while_bots_are_started_costs_nothing(
    at_ms: float, length_ms: float, is_shown: bool, play: Play
) -> None:
    world = World(a=HeldBot(JUST_IN_TIME_MS), b=HeldBot(JUST_IN_TIME_MS))
    world.shows_suspensions = is_shown
    world.suspend(at_ms, length_ms)
    result = play(world)
    assert (forfeits(result), result.voids) == ({}, ())


def test_of_many_open_games_only_those_that_were_asked_are_void(play: Play) -> None:
    """While one bot thinks about some, decisions for it about others wait."""
    quick, slow = HeldBot(1), HeldBot(JUST_IN_TIME_MS)
    world = World(a=quick, b=slow)
    asked: list[int] = []

    def look() -> None:
        asked.extend(slow.thinks_about)
        world.wait(10 * STALL_MS)

    world.after(100, look)
    result = play(world, 6)
    assert 0 < len(asked) < 6
    assert sorted(void.id.board for void in result.voids) == sorted(asked)
    assert forfeits(result) == {}


@pytest.mark.parametrize("at_ms", [0, 0.5, 1.5])
def test_a_stop_while_bots_are_started_moves_the_start_limit(at_ms: float, play: Play) -> None:
    world = World(a=HeldBot(), b=HeldBot())
    world.stop_all(at_ms, 20 * TIGHT.start_ms)
    result = play(world)
    assert (forfeits(result), result.voids) == ({}, ())


def test_a_bot_that_does_not_answer_after_a_stall_is_replaced_at_no_cost(play: Play) -> None:
    world = World(a=HeldBot(misdeed=never_answers, at=(2, 0)), b=HeldBot())
    world.bots["a"].before_misdeed = lambda: world.stop_all(10, 10 * STALL_MS)
    result = play(world)
    assert [void.id.board for void in result.voids] == [2]
    assert forfeits(result) == {}
    assert world.processes == 3


def never_answers(process: HeldProcess, answers: list[dict[str, Any]]) -> None:
    """Stay, but say nothing."""


def crashes(process: HeldProcess, answers: list[dict[str, Any]]) -> None:
    process.end(5_000, "exited 1")


def garbles(process: HeldProcess, answers: list[dict[str, Any]]) -> None:
    process.say(12 * STALL_MS, {"type": "nonsense"})


@pytest.mark.parametrize("misdeed", [never_answers, crashes, garbles])
@pytest.mark.parametrize("tables", [1, 4])
def test_whatever_a_bot_does_after_a_stall_about_what_is_void_costs_nothing(
    misdeed: Any, tables: int, play: Play
) -> None:
    world = World(a=HeldBot(misdeed=misdeed, at=(2, 0)), b=HeldBot())
    world.bots["a"].before_misdeed = lambda: world.stop_arena(10, 11 * STALL_MS)
    result = play(world, tables)
    assert 2 in {void.id.board for void in result.voids}
    assert forfeits(result) == {}


@pytest.mark.parametrize("tables", [1, 4, 6])
def test_a_bot_that_hangs_is_no_stall(tables: int, play: Play) -> None:
    world = World(a=HeldBot(misdeed=never_answers, at=(2, 1), once=False), b=HeldBot())
    result = play(world, tables)
    assert {board: end.fault for board, end in forfeits(result).items()} == {2: "timeout"}
    assert result.voids == ()


@pytest.mark.parametrize(("length_ms", "tables"), [(150, 4), (2 * STALL_MS, 1)])
def test_what_the_arena_is_held_up_by_at_its_own_work_is_charged_to_nobody(
    length_ms: float, tables: int, play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other bots think while it writes the frame of one, which may take it far too long."""
    honest = [HeldBot(JUST_IN_TIME_MS), HeldBot(JUST_IN_TIME_MS)]
    world = World(a=honest[0], b=honest[1])

    def encode_slowly(messages: Any) -> bytes:
        world.wait(length_ms)
        return encode(messages)

    monkeypatch.setattr("arena.runtime.link.encode", encode_slowly)
    result = play(world, tables)
    assert (forfeits(result), result.voids) == ({}, ())
