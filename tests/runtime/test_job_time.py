"""Who is charged for what time, in a time that the test holds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from held import HeldBot, HeldProcess, Misdeed, World
from jobs import bot, by_board, forfeits, job
from msgspec.structs import replace

from arena.protocol.codec import encode
from arena.referee.clock import Limits
from arena.runtime.executor import JobResult

GAMES = 4
TIGHT = Limits(move_ms=50, game_ms=None, start_ms=1_000, grace_ms=10)
JUST_IN_TIME_MS = 45
Play = Callable[..., JobResult]


@pytest.fixture
def play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Play:
    def play(world: World, tables: int = 1) -> JobResult:
        bots = [replace(bot(f"{name}@1", limits=TIGHT), argv=(name,)) for name in world.bots]
        result = world.play(job(bots, GAMES, tables=tables), tmp_path, monkeypatch)
        assert by_board(result).keys() == set(range(GAMES))
        return result

    return play


def spent_us(result: JobResult, seat: int) -> int:
    return sum(record.spent_us[seat] for record in result.records)


def is_charged_only_for_thinking(result: JobResult, seat: int, own: HeldBot) -> bool:
    """Tell whether all its frames took what it thought (each decision's share is cut to a µs)."""
    lost_us = own.thought_ms * 1_000 - spent_us(result, seat)
    return 0 <= lost_us <= sum(record.decisions[seat] for record in result.records)


def ends(wait_ms: float, how: str = "exited 5", *, words_after_ms: float | None = None) -> Misdeed:
    """Let the process end, and perhaps its answers arrive some time after that."""

    def misdeed(process: HeldProcess, answers: list[dict[str, Any]]) -> None:
        process.end(wait_ms, how)
        if words_after_ms is not None:
            process.say(wait_ms + words_after_ms, *answers)

    return misdeed


def is_silent(process: HeldProcess, answers: list[dict[str, Any]]) -> None:
    """Say nothing and stay."""


def talks_nonsense(process: HeldProcess, answers: list[dict[str, Any]]) -> None:
    process.say(1, {"type": "nonsense"})


# the time of an honest bot


@pytest.mark.parametrize("announces", [True, False])
@pytest.mark.parametrize("dies_after_ms", [0, 1, 30, 44.9])
def test_a_bot_is_not_charged_for_its_opponents_last_words(
    dies_after_ms: float, announces: bool, play: Play
) -> None:
    honest = HeldBot(JUST_IN_TIME_MS)
    world = World(a=HeldBot(misdeed=ends(dies_after_ms), once=False), b=honest)
    world.announces_ends = announces
    result = play(world, tables=4)
    assert {board: end.seat for board, end in forfeits(result).items()} == {0: 0}
    assert is_charged_only_for_thinking(result, 1, honest)


def test_a_bot_is_not_charged_for_the_burial_of_its_opponent(play: Play) -> None:
    """A process with much memory is there for a while after it was killed."""
    honest = HeldBot(JUST_IN_TIME_MS)
    world = World(a=HeldBot(misdeed=talks_nonsense, once=False, dying_ms=300), b=honest)
    result = play(world, tables=4)
    assert {board: end.seat for board, end in forfeits(result).items()} == {0: 0}
    assert is_charged_only_for_thinking(result, 1, honest)


def test_a_bot_is_not_charged_for_what_the_arena_needs_to_write_its_frame(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = HeldBot(JUST_IN_TIME_MS)
    world = World(a=HeldBot(), b=honest)

    def encode_slowly(messages: Any) -> bytes:
        world.wait(30)
        return encode(messages)

    monkeypatch.setattr("arena.runtime.link.encode", encode_slowly)
    result = play(world)
    assert forfeits(result) == {}
    assert is_charged_only_for_thinking(result, 1, honest)


# last words


@pytest.mark.parametrize("announces", [True, False])
@pytest.mark.parametrize("tables", [1, 4])
@pytest.mark.parametrize("words_after_ms", [0, 1, 20, 49])
def test_what_a_process_said_before_it_died_is_heard_and_its_death_falls_on_the_next_decision(
    words_after_ms: float, tables: int, announces: bool, play: Play
) -> None:
    world = World(a=HeldBot(misdeed=ends(1, words_after_ms=words_after_ms)), b=HeldBot())
    world.announces_ends = announces
    result = play(world, tables)
    (end,) = forfeits(result).values()
    assert (end.seat, end.fault, end.detail) == (0, "crash", "exited 5 between its decisions")


def test_words_that_come_too_long_after_a_death_are_not_heard(play: Play) -> None:
    result = play(World(a=HeldBot(misdeed=ends(1, words_after_ms=55)), b=HeldBot()))
    (end,) = forfeits(result).values()
    assert (end.seat, end.fault, end.detail) == (0, "crash", "exited 5 at decision 0")


def test_a_process_that_dies_just_before_its_time_is_up_has_crashed(play: Play) -> None:
    result = play(World(a=HeldBot(misdeed=ends(59)), b=HeldBot()))
    assert {board: end.fault for board, end in forfeits(result).items()} == {0: "crash"}


def test_a_process_that_says_nothing_is_late(play: Play) -> None:
    result = play(World(a=HeldBot(misdeed=is_silent), b=HeldBot()))
    assert {board: end.detail for board, end in forfeits(result).items()} == {
        0: "no answer in 50 ms (+10) at decision 0"
    }
