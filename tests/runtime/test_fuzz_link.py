"""Frames made wrong in every way, sent to a link in each of its phases, and to a real worker.

Whatever comes, the laws of the protocol hold (contracts, 1). The short form runs with all tests;
`-m soak` sends 100,000.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from jobs import PATIENT, ROOT, bot, by_board, forfeits, job
from workers import played, submit

from arena.protocol.messages import Act, Decide, Fail
from arena.referee.fault import Fault
from arena.runtime.executor import JobResult, LocalExecutor
from arena.runtime.link import MAX_STRAYS, Answers, BotLink, Ready
from tests.protocol.mutations import Message, mutant

SEED = 20261130
TOKEN = "3f9c" * 8
FEW, MANY = 5_000, 100_000
LONGEST_TEXT = 400
LEGAL = ("order", "pass")
HELLO: Message = {"type": "hello", "token": TOKEN, "protocol": 1, "max_tables": 64}


class Fuzzed:
    """A link whose bot sends wrong frames among right ones; it begins anew after each fault."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.seen: Counter[str] = Counter()
        """What came of the frames, by phase."""
        self.begin()

    def begin(self) -> None:
        self.link = BotLink(token=TOKEN, bot="monte", params={})
        self.asked: tuple[Decide[Any], ...] = ()
        self.next_seq: dict[int, int] = {}
        self.ignored = 0

    def step(self) -> None:
        """Send one frame in whatever phase the link is."""
        phase = self.link.phase
        if phase == "hello":
            self.greet()
        elif phase == "idle" and self.random.random() < 0.7:
            self.ask()
        else:
            self.send(self.frame(self.right_frame(), wrong=1 if self.asked else 0.4))

    def frame(self, right: list[Message], wrong: float) -> bytes:
        is_wrong = self.random.random() < wrong
        return mutant(right, self.random) if is_wrong else json.dumps(right).encode()

    def greet(self) -> None:
        frame = self.frame([HELLO], wrong=0.4)
        heard = self.link.greets(frame)
        self.seen[f"hello: {heard if isinstance(heard, str) else heard.kind}"] += 1
        if isinstance(heard, Fault):
            check_fault(heard, {"no_start"})
            assert TOKEN.encode() in frame, "a frame without the token is held against nobody"
            self.begin()
        else:
            assert (heard == "ours") == (self.link.phase == "loading")
            assert heard == "foreign" or TOKEN in json.loads(frame)[0]["token"]
            assert 1 <= self.link.max_tables <= 64

    def ask(self) -> None:
        while len(self.next_seq) < 3:
            self.next_seq[self.link.open_table()] = 0
        tables = self.random.sample(list(self.next_seq), self.random.randint(1, 3))
        for table in tables:
            self.link.ask(Decide(table, self.next_seq[table], LEGAL, 1000, {}))
            self.next_seq[table] += 1
        turn = self.link.next_frame()
        assert turn is not None
        self.asked = turn[1]
        assert self.link.next_frame() is None, "not the arena's turn"

    def right_frame(self) -> list[Message]:
        """Return what is owed, now and then with what may be passed over or instead of it."""
        if self.link.phase == "loading":
            return [HELLO] * self.random.choice((0, 0, 0, 1, 3))
        owed, again = ([self.act(one.table, one.seq) for one in self.asked] for _ in range(2))
        open_now = {one.table for one in self.asked}
        old = [
            self.act(table, seq - 1 - (table in open_now))
            for table, seq in self.next_seq.items()
            if seq > (table in open_now)
        ]
        others: list[list[Message]] = [
            *(old, owed + old, old + owed, owed + again, old * 9),
            *([HELLO], [*old, HELLO]),
        ]
        return owed if self.random.random() < 0.4 else self.random.choice(others)

    def act(self, table: int, seq: int) -> Message:
        return {"type": "act", "table": table, "seq": seq, "action": self.random.choice(LEGAL)}

    def send(self, frame: bytes) -> None:
        phase = self.link.phase
        heard = self.link.receive(frame)
        self.seen[
            f"{phase}: {heard.kind if isinstance(heard, Fault) else type(heard).__name__}"
        ] += 1
        match heard:
            case Fault():
                check_fault(heard, {"no_start", "flood"} if phase == "loading" else FAULTS)
                self.begin()
            case Ready():
                assert (phase, self.link.phase) == ("loading", "idle")
                assert json.loads(frame) == []
            case Answers():
                assert (phase, self.link.phase) == ("thinking", "idle")
                self.check_answers(heard.answers, frame)
                self.asked = ()
            case None:
                assert self.link.phase == phase, "nothing new follows from it"
                self.check_ignored(frame)
        assert self.link.phase == "thinking" or self.link.next_frame() is None

    def check_answers(self, answers: Sequence[Act | Fail], frame: bytes) -> None:
        """Each decision has one answer, in their order, the first that the frame has for it."""
        said = [one for one in json.loads(frame) if one["type"] != "hello"]
        for decide, answer in zip(self.asked, answers, strict=True):
            assert (answer.table, answer.seq) == (decide.table, decide.seq)
            key = (decide.table, decide.seq)
            first = next(one for one in said if (one["table"], one["seq"]) == key)
            assert isinstance(answer, Act) == (first["type"] == "act")
            assert not isinstance(answer, Act) or answer.action == first["action"]
        self.ignored += len(json.loads(frame)) - len(answers)
        assert self.ignored <= MAX_STRAYS

    def check_ignored(self, frame: bytes) -> None:
        """Only what was answered already and hellos are passed over, and not too many."""
        open_now = {(one.table, one.seq) for one in self.asked}
        for one in json.loads(frame):
            if one["type"] != "hello":
                assert 0 <= one["seq"] < self.next_seq[one["table"]]
                assert (one["table"], one["seq"]) not in open_now
        self.ignored += len(json.loads(frame))
        assert self.ignored <= MAX_STRAYS


FAULTS = {"malformed", "flood"}


def check_fault(fault: Fault, kinds: set[str]) -> None:
    assert fault.kind in kinds
    for text in (fault.detail, fault.got):
        assert text.isascii()
        assert text.isprintable()
        assert len(text) <= LONGEST_TEXT


OUTCOMES = {
    *("hello: ours", "hello: foreign", "hello: no_start"),
    *("loading: Ready", "loading: no_start"),
    *("idle: malformed", "idle: NoneType", "idle: flood"),
    *("thinking: Answers", "thinking: malformed", "thinking: flood", "thinking: NoneType"),
}


def fuzz(steps: int, seed: int) -> Counter[str]:
    fuzzed = Fuzzed(seed)
    for _ in range(steps):
        fuzzed.step()
    return fuzzed.seen


def test_the_laws_hold_whatever_is_sent_in_each_phase() -> None:
    seen = fuzz(2 * FEW, SEED)
    assert seen.keys() >= OUTCOMES, "too little was tried"


@pytest.mark.soak
@pytest.mark.parametrize("seed", [SEED, 1, 2])
def test_the_laws_hold_for_a_hundred_thousand_frames(
    seed: int, capsys: pytest.CaptureFixture[str]
) -> None:
    seen = fuzz(2 * MANY, seed)
    assert seen.total() >= MANY
    assert seen.keys() >= OUTCOMES
    with capsys.disabled():
        print(f"\n{seen.total()} frames: {dict(seen)}")


# a real worker

FUZZING_BOT = """
import json
import os
from random import Random

import zmq

from tests.protocol.mutations import mutant

socket = zmq.Context.instance().socket(zmq.DEALER)
socket.linger = 1000
socket.connect(os.environ["ARENA_ENDPOINT"])
hello = {"type": "hello", "token": os.environ["ARENA_TOKEN"], "protocol": 1, "max_tables": 64}
socket.send_json([hello])
socket.recv()
socket.send(b"[]")
games = {}
while True:
    frame = json.loads(socket.recv())
    if frame[-1]["type"] == "bye":
        break
    games |= {one["table"]: one["bot_seed"] for one in frame if one["type"] == "game_start"}
    asked = [one for one in frame if one["type"] == "decide"]
    right = [
        {"type": "act", "table": one["table"], "seq": one["seq"], "action": one["legal"][0]}
        for one in asked
    ]
    random = Random(f"{[(games[one['table']], one['seq']) for one in asked]}")
    if random.random() < 0.1:
        wrong = mutant(right, random)
        if random.random() < 0.2:
            socket.send_multipart([wrong] * random.randint(2, 5))
        else:
            socket.send(wrong)
    socket.send_json(right)
"""
"""Sends a wrong frame before a right one now and then, always at the same decisions."""


def play_fuzzed(executor: LocalExecutor, folder: Path, mark: str, games: int) -> JobResult:
    file = folder / "fuzzing.py"
    file.write_text(FUZZING_BOT)
    fuzzing = bot("bad@1", file, mark=mark, limits=PATIENT, env={"PYTHONPATH": str(ROOT)})
    wanted = job((bot("good@1", mark=mark), fuzzing), games, tables=4)
    wanted = msgspec.structs.replace(wanted, isolation="process")
    return played(submit(executor, wanted))


def check_fuzzed(result: JobResult, games: int) -> None:
    assert result.voids == ()
    assert by_board(result).keys() == set(range(games)), "every game is played"
    lost = forfeits(result)
    assert {end.seat for end in lost.values()} == {1}
    assert {end.fault for end in lost.values()} <= {*FAULTS, "illegal", "crash"}
    assert 0 < len(lost) < games


def test_a_worker_survives_wrong_frames(
    executor: LocalExecutor, mark: str, tmp_path: Path, private_folders: Path
) -> None:
    check_fuzzed(play_fuzzed(executor, tmp_path, mark, 60), 60)


@pytest.mark.soak
@pytest.mark.timeout(600)
def test_a_worker_survives_wrong_frames_for_long(
    executor: LocalExecutor, mark: str, tmp_path: Path, private_folders: Path
) -> None:
    check_fuzzed(play_fuzzed(executor, tmp_path, mark, 600), 600)
