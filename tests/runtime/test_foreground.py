"""A bot in the foreground: real processes, their faults, and what is left of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

import pytest
from jobs import HEALTHY, HOSTILE, bot
from msgspec.structs import replace
from processes import marked, new_mark, wait_until

from arena import rules
from arena.protocol.messages import Act, Decide, Fail
from arena.referee.fault import Fault
from arena.rules.base import State
from arena.runtime.foreground import ForegroundBot

RULES = rules.load("two_handed")
BAD = 2
"""The bot seed of the game, and the number of the decision, in which hostile bots misbehave."""


@contextmanager
def begun(file: Path) -> Iterator[ForegroundBot]:
    mark = new_mark()
    with ForegroundBot(bot("a@1", file, mark=mark)) as one:
        assert one.start() is None
        yield one
    assert wait_until(lambda: not marked(mark))


def play(one: ForegroundBot) -> list[Act | Fail | Fault]:
    """Let it decide for both seats up to the end of the game, or its own."""
    state: State = RULES.start(sha256(b"asked").digest())
    table = one.begin(RULES, 0, BAD)
    heard: list[Act | Fail | Fault] = []
    while state.to_act is not None:
        view = state.view(state.to_act)
        decide = Decide[object](table, len(heard), state.legal(), 1_000, view)
        answer = one.ask(decide)
        heard.append(answer)
        if not isinstance(answer, Act):
            break
        state = state.apply(answer.action)
    return heard


def test_a_bot_plays_a_game_to_its_end() -> None:
    with begun(HEALTHY) as one:
        heard = play(one)
    assert len(heard) > 50
    assert all(isinstance(answer, Act) for answer in heard)


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("exits_at_a_decision", Fault("crash", "exited 0")),
        ("killed_by_a_signal", Fault("crash", "killed by SIGSEGV")),
        ("missing_answer", Fault("malformed", "exactly one answer for each decision expected")),
        ("two_parts", Fault("malformed", "a frame must be one message part")),
        ("not_json", Fault("malformed", "JSON is malformed: invalid character")),
    ],
)
def test_a_fault_is_told(name: str, fault: Fault) -> None:
    with begun(HOSTILE / f"{name}.py") as one:
        *right, wrong = play(one)
    assert len(right) == BAD
    assert isinstance(wrong, Fault)
    assert replace(wrong, got="") == fault


def test_a_game_that_it_gives_up_ends_nothing_else() -> None:
    with begun(HOSTILE / "gives_a_game_up.py") as one:
        *right, wrong = play(one)
        assert len(right) == BAD
        assert isinstance(wrong, Fail)
        assert isinstance(play(one)[0], Act)


@pytest.mark.parametrize(
    ("name", "detail"),
    [
        ("exits_before_hello", "exited 1 before it was ready"),
        ("speaks_another_version", "protocol version 1 expected"),
        ("ready_with_an_answer", "an empty frame [] expected"),
        ("no_such_bot", "exited 2 before it was ready"),
    ],
)
def test_a_bot_that_does_not_start_says_why(name: str, detail: str) -> None:
    with ForegroundBot(bot("a@1", HOSTILE / f"{name}.py")) as one:
        found = one.start()
    assert found is not None
    assert found.kind == "no_start"
    assert found.detail.startswith(detail)


def test_a_program_that_cannot_be_run_is_told() -> None:
    with ForegroundBot(replace(bot("a@1", HEALTHY), argv=("no_such_program",))) as one:
        assert one.start() == Fault("no_start", "cannot run 'no_such_program': no such program")
