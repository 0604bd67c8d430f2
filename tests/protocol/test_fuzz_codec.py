"""Frames made wrong in every way, from a seed: each becomes a typed value, never an exception.

The short form runs with all tests; `-m soak` decodes 100,000 and says how long that takes.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from itertools import islice
from random import Random
from typing import Any

import msgspec
import pytest

from arena.protocol.codec import MAX_ANSWER_BYTES, Malformed, decode_answers, decode_hello
from arena.protocol.messages import Act, Fail, Hello
from tests.protocol.mutations import NUMBERS, TEXTS, Message, mutants

SEED = 20261130
FEW, MANY = 5_000, 100_000
LONGEST_DETAIL = 210
"""A decoder's words, cut."""
LONGEST_GOT = 4 * 80 + 40
"""Eighty bytes, each written in four letters at most."""
SLOWEST_MS = 5.0

HELLO: Message = {"type": "hello", "token": "3f9c" * 8, "protocol": 1, "max_tables": 64}


def answers(count: int) -> list[Message]:
    acts: list[Message] = [
        {"type": "act", "table": n, "seq": 0, "action": "pass"} for n in range(count)
    ]
    acts[0] |= {"note": "three trumps"}
    return [*acts[:-1], {"type": "fail", "table": count - 1, "seq": 0, "detail": "KeyError"}]


def frames(count: int, seed: int) -> Iterator[tuple[int, bytes]]:
    """Yield numbers of decisions, and frames that answer so many, more or less."""
    random = Random(seed)
    sources = [(n, mutants(answers(max(n, 1)), random)) for n in (0, 1, 2, 16)]
    for _ in range(count):
        decisions, source = random.choice(sources)
        yield decisions, next(source)


def check(frame: bytes, decisions: int) -> bool:
    """Check that a frame becomes what it may; tell whether it was understood."""
    found = decode_answers(frame, decisions)
    if isinstance(found, Malformed):
        check_words(found)
        return False
    assert len(frame) <= MAX_ANSWER_BYTES * max(decisions, 1)
    said = json.loads(frame)
    assert len(found) == len(said)
    for one, words in zip(found, said, strict=True):
        check_answer(one, words)
    return True


def check_words(malformed: Malformed) -> None:
    for text, longest in ((malformed.detail, LONGEST_DETAIL), (malformed.got, LONGEST_GOT)):
        assert text.isascii()
        assert text.isprintable()
        assert len(text) <= longest
    assert malformed.detail


def check_answer(one: Act | Fail | Hello, words: Message) -> None:
    """Check that what was understood is what any other reader understands, and bounded."""
    assert words["type"] == {Act: "act", Fail: "fail", Hello: "hello"}[type(one)]
    for name, value in msgspec.structs.asdict(one).items():
        if name not in words:
            continue
        assert value == words[name]
        assert type(value) is type(words[name])
        assert not isinstance(value, int) or 0 <= value < 2**53
        assert not isinstance(value, str) or len(value.encode()) <= MAX_ANSWER_BYTES


def check_hello(frame: bytes) -> bool:
    found = decode_hello(frame)
    if isinstance(found, Malformed):
        check_words(found)
        return False
    (said,) = json.loads(frame)
    check_answer(found, {"type": "hello", **said})
    assert 1 <= found.max_tables < 2**31
    return True


def check_share(understood: int, count: int) -> None:
    """See that the mutations are neither harmless nor all of them fatal."""
    assert 0.05 * count < understood < 0.6 * count


def test_no_frame_is_more_than_a_typed_value() -> None:
    understood = sum(check(frame, decisions) for decisions, frame in frames(FEW, SEED))
    check_share(understood, FEW)


def test_no_hello_is_more_than_a_typed_value() -> None:
    made = islice(mutants([HELLO], Random(SEED)), FEW)
    check_share(sum(map(check_hello, made)), FEW)


def test_a_hello_has_a_type() -> None:
    nameless = {name: value for name, value in HELLO.items() if name != "type"}
    assert isinstance(decode_hello(json.dumps([nameless]).encode()), Malformed)


def is_whole(number: Any, least: int, most: int) -> bool:
    return isinstance(number, int) and not isinstance(number, bool) and least <= number <= most


@pytest.mark.parametrize(
    "number", [*NUMBERS, True, "1", None], ids=lambda number: repr(number)[:25]
)
def test_a_number_is_whole_and_within_its_borders_or_malformed(number: Any) -> None:
    for name, least, most in (("table", 0, 2**53 - 1), ("seq", 0, 2**53 - 1)):
        act = {"type": "act", "table": 0, "seq": 0, "action": "pass", name: number}
        good = not isinstance(decode_answers(json.dumps([act]).encode(), 1), Malformed)
        assert good == is_whole(number, least, most)
    for name, least, most in (("max_tables", 1, 2**31 - 1), ("protocol", 0, 2**53 - 1)):
        good = not isinstance(
            decode_hello(json.dumps([{**HELLO, name: number}]).encode()), Malformed
        )
        assert good == is_whole(number, least, most)


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: ascii(text)[:25])
@pytest.mark.parametrize("name", ["action", "note", "detail", "type", "unknown"])
def test_a_text_that_is_none_or_too_long_is_malformed_and_shown_harmlessly(
    name: str, text: str
) -> None:
    kind = "fail" if name == "detail" else "act"
    frame = json.dumps(
        [{"type": kind, "table": 0, "seq": 0, "action": "pass", name: text}]
    ).encode()
    most = {"action": 64, "note": 200, "detail": 1000, "type": 0, "unknown": 3000}[name]
    assert check(frame, 1) == (is_text(json.loads(json.dumps(text))) and len(text) <= most)


def is_text(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


@pytest.mark.soak
@pytest.mark.parametrize("seed", [SEED, 1])
def test_a_hundred_thousand_frames_are_decoded_in_time(
    seed: int, capsys: pytest.CaptureFixture[str]
) -> None:
    made = list(frames(MANY, seed))
    times_ms = sorted(timed_ms(decode_answers, *one) for one in made)
    p99, longest = times_ms[MANY * 99 // 100], times_ms[-1]
    understood = sum(check(frame, decisions) for decisions, frame in made)
    with capsys.disabled():
        print(f"\n{MANY} frames, {understood} understood; p99 {p99:.3f} ms, longest {longest:.3f}")
    check_share(understood, MANY)
    assert p99 < SLOWEST_MS


def timed_ms(decode: Callable[[bytes, int], object], decisions: int, frame: bytes) -> float:
    began_ns = time.perf_counter_ns()
    decode(frame, decisions)
    return (time.perf_counter_ns() - began_ns) / 1e6
