"""Bots that are asked outside of any job: real processes, and what is left of them."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

import pytest
from jobs import HEALTHY, HOSTILE, PATIENT, bot
from msgspec.structs import replace
from processes import caretakers, marked, new_mark, wait_until

from arena import rules
from arena.protocol.messages import Decide, GameEnd
from arena.referee.fault import Fault
from arena.rules.base import State
from arena.runtime import tree
from arena.runtime.asking import Answer, AskedBot, asked_bots

RULES = rules.load("two_handed")
BAD = 2
"""The bot seed of the game, and the number of the decision, in which hostile bots misbehave."""
BUSY = """
import os, time
from arena.sdk import run
from pathlib import Path
def choose(view, legal):
    Path(os.environ["TOLD"]).open("a").write(f"{view.deal} {os.getpid()}\\n")
    print("x" * 300_000)
    return legal[0]
run(choose)
"""


@contextmanager
def asked(file: Path = HEALTHY, *, level: str = "none", **given: object) -> Iterator[AskedBot]:
    mark = new_mark()
    spec = bot("a@1", file, mark=mark, **given)  # type: ignore[arg-type]
    with asked_bots([spec], level=level, clock_ns=time.monotonic_ns) as (one,):
        yield one
    assert wait_until(lambda: not marked(mark))


def decision(state: State, table: int, seq: int = 0) -> Decide[object]:
    assert state.to_act is not None
    return Decide(table, seq, state.legal(), 30_000, state.view(state.to_act))


def start() -> State:
    return RULES.start(sha256(b"asked").digest())


@pytest.mark.parametrize("level", ["none", "process"])
def test_one_process_plays_both_seats_of_a_game(level: str) -> None:
    with asked(level=level) as one:
        assert one.start() is None
        tables = [one.begin(RULES, seat, 7) for seat in (0, 1)]
        state, seqs = start(), [0, 0]
        while (seat := state.to_act) is not None:
            answer = one.ask(decision(state, tables[seat], seqs[seat]))
            assert isinstance(answer, Answer)
            assert answer.elapsed_us > 0
            state, seqs[seat] = state.apply(answer.action), seqs[seat] + 1
        for table in tables:
            one.end(GameEnd(table, state.points, 0, "played", None))


def test_a_caretaker_is_there_as_long_as_bots_are_asked(private_folders: Path) -> None:
    """It is nobody's child: not even who adopts what its bots leave behind has to do with it."""
    with asked() as one:
        assert one.start() is None
        assert wait_until(lambda: len(caretakers(private_folders)) == 1)
        (caretaker,) = caretakers(private_folders)
        assert one.has_survivors() is False
        assert caretaker not in tree.children(os.getpid())
    assert caretakers(private_folders) == []


def test_a_caretaker_that_was_killed_is_not_waited_for(private_folders: Path) -> None:
    with asked() as one:
        assert wait_until(lambda: len(caretakers(private_folders)) == 1)
        os.kill(caretakers(private_folders)[0], signal.SIGKILL)
        assert wait_until(lambda: not caretakers(private_folders))
        assert one.start() is None


def test_a_game_may_begin_in_mid_course_and_again() -> None:
    state = start()
    seat = state.to_act
    assert seat is not None
    with asked() as one:
        assert one.start() is None
        first = one.ask(decision(state, one.begin(RULES, seat, 7), seq=5))
        again = one.ask(decision(state, one.begin(RULES, seat, 7), seq=5))
        assert isinstance(first, Answer)
        assert isinstance(again, Answer)
        assert first.action == again.action


@pytest.mark.parametrize(
    ("file", "kind", "detail", "is_alive"),
    [
        ("exits_at_a_decision.py", "crash", "at decision 2", False),
        ("gives_a_game_up.py", "crash", "gave the game up at decision 2", True),
        ("sleeps_at_a_decision.py", "timeout", "no answer in 300 ms", False),
        ("not_json.py", "malformed", "", False),
    ],
)
def test_what_it_does_wrong_is_told(file: str, kind: str, detail: str, is_alive: bool) -> None:
    limits = replace(PATIENT, move_ms=300) if kind == "timeout" else PATIENT
    with asked(HOSTILE / file, limits=limits) as one:
        assert one.start() is None
        fault = one.ask(decision(start(), one.begin(RULES, 0, BAD), BAD))
        assert isinstance(fault, Fault)
        assert (fault.kind, one.is_alive) == (kind, is_alive)
        assert detail in fault.detail
        assert one.start() is None
        assert one.is_alive


@pytest.mark.parametrize("file", ["exits_before_hello.py", "never_says_hello.py", "none.py"])
def test_why_it_does_not_start_is_told(file: str) -> None:
    with asked(HOSTILE / file, limits=replace(PATIENT, start_ms=500)) as one:
        fault = one.start()
        assert fault is not None
        assert fault.kind == "no_start"
        assert not one.is_alive


def test_memory_is_watched_while_it_thinks() -> None:
    limits = replace(PATIENT, memory_bytes=200_000_000)
    with asked(HOSTILE / "allocates_without_end.py", limits=limits) as one:
        assert one.start() is None
        fault = one.ask(decision(start(), one.begin(RULES, 0, BAD), BAD))
        assert isinstance(fault, Fault)
        assert fault.kind == "memory"


def test_it_stands_still_while_it_is_not_asked_and_may_print_much(tmp_path: Path) -> None:
    (tmp_path / "busy.py").write_text(BUSY)
    told = tmp_path / "told"
    with asked(tmp_path / "busy.py", env={"TOLD": str(told)}) as one:
        assert one.start() is None
        table = one.begin(RULES, 0, 7)
        assert isinstance(one.ask(decision(start(), table)), Answer)
        pid = told.read_text().split()[1]
        if sys.platform == "linux":
            stat = Path(f"/proc/{pid}/stat")
            assert wait_until(lambda: stat.read_text().rpartition(")")[2].split()[0] == "T")
        assert isinstance(one.ask(decision(start(), table, 1)), Answer)


def test_several_decisions_are_answered_together() -> None:
    state = start()
    seat = state.to_act
    assert seat is not None
    with asked() as one:
        assert one.start() is None
        assert one.max_tables == 64
        tables = [one.begin(RULES, seat, number) for number in range(9)]
        answers = one.ask_together([decision(state, table) for table in tables])
        assert isinstance(answers, list)
        assert all(isinstance(answer, Answer) for answer in answers)
        assert len(answers) == 9
        assert one.leaves(60_000_000_000)


def test_one_of_several_gives_its_game_up() -> None:
    with asked(HOSTILE / "gives_a_game_up.py") as one:
        assert one.start() is None
        decides = [decision(start(), one.begin(RULES, 0, seed), BAD) for seed in (1, BAD)]
        answers = one.ask_together(decides)
        assert isinstance(answers, list)
        assert [type(answer) for answer in answers] == [Answer, Fault]


def test_who_ignores_the_farewell_does_not_leave() -> None:
    with asked(HOSTILE / "ignores_the_farewell.py") as one:
        assert one.start() is None
        assert not one.leaves(200_000_000)


@pytest.mark.skipif(sys.platform != "linux", reason="nothing can be adopted")
def test_a_bot_can_be_left_alone_and_is_killed_in_the_end() -> None:
    mark = new_mark()
    spec = bot("a@1", HOSTILE.parents[1] / "bots/legal_first.py", mark=mark)
    child = replace(spec, argv=("/bin/sh", "-c", '"$@" & wait', "sh", *spec.argv))
    with asked_bots(
        [spec, child], level="process", clock_ns=time.monotonic_ns, may_ponder=True
    ) as (other, one):
        assert one.start() is None
        one.vanish()
        assert other.start() is None
        assert isinstance(other.ask(decision(start(), other.begin(RULES, 0, 7))), Answer)
        assert other.printed == ""
        assert other.most_memory_bytes > 1_000_000
        assert one.has_survivors()
        for pid in marked(mark):
            if pid != other._peer.process.pid:  # type: ignore[union-attr]
                os.kill(pid, signal.SIGKILL)
        assert wait_until(lambda: not one.has_survivors())
    assert wait_until(lambda: not marked(mark))
