"""bots/protocol.schema.json is what the types say, and real frames follow it.

    python tests/protocol/test_schema.py

writes it anew after a change of the messages or of a variant's view.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator

from arena import rules
from arena.protocol.codec import encode
from arena.protocol.messages import (
    Act,
    Bye,
    Decide,
    Fail,
    GameEnd,
    GameStart,
    Hello,
    Welcome,
    WireFault,
    WireLimits,
)
from arena.protocol.schema import protocol_schema

FILE = Path(__file__).parents[2] / "bots/protocol.schema.json"

HELLO = {"type": "hello", "token": "3f9c", "protocol": 1, "max_tables": 64}
ACT = {"type": "act", "table": 0, "seq": 0, "action": "order", "note": None}
FAIL = {"type": "fail", "table": 0, "seq": 0, "detail": "KeyError: 'X'"}


def generated() -> str:
    """The schema as its file holds it."""
    views = {name: rules.load(name).view_type for name in rules.names()}
    return json.dumps(protocol_schema(views), indent=2, sort_keys=True) + "\n"


@pytest.fixture(scope="module")
def shipped() -> Any:
    return json.loads(FILE.read_text("utf-8"))


def is_valid(shipped: Any, frame: str, messages: Any) -> bool:
    schema = {"$defs": shipped["$defs"], "$ref": f"#/$defs/{frame}"}
    return Draft202012Validator(schema).is_valid(messages)


def test_the_shipped_file_is_what_the_types_say() -> None:
    assert FILE.read_text("utf-8") == generated(), f"run: python {Path(__file__).name}"


def test_it_is_a_schema_and_says_what_every_message_and_view_field_is_for(shipped: Any) -> None:
    Draft202012Validator.check_schema(shipped)
    for name, schema in shipped["$defs"].items():
        assert "description" in schema or name.startswith("view_"), name
    view = shipped["$defs"]["View"]["properties"]
    silent = {name for name, field in view.items() if "description" not in field}
    assert silent == {"phase", "dealer", "trump"}  # they speak for themselves


def test_two_variants_may_share_a_view_or_not() -> None:
    class Other(msgspec.Struct):
        """Another game's."""

        seat: int

    shared = rules.load("two_handed").view_type
    schema = protocol_schema({"one": shared, "two": shared, "other": Other})
    refs = schema["$defs"]["Decide"]["properties"]["view"]["anyOf"]
    assert [ref["$ref"] for ref in refs] == [f"#/$defs/view_{x}" for x in ("one", "two", "other")]
    assert schema["$defs"]["view_one"] == schema["$defs"]["view_two"] == {"$ref": "#/$defs/View"}
    assert schema["$defs"]["view_other"] == {"$ref": "#/$defs/Other"}


def whole_game(name: str) -> Iterator[Decide[Any]]:
    """Every decision of a game in which each seat takes the last action allowed."""
    state = rules.load(name).start(bytes(32))
    seqs: dict[int, int] = {}
    while (seat := state.to_act) is not None:
        seqs[seat] = seq = seqs.get(seat, -1) + 1
        yield Decide(seat, seq, state.legal(), 1_000, state.view(seat))
        state = state.apply(state.legal()[-1])


@pytest.mark.parametrize("name", rules.names())
def test_frames_of_the_arena_follow_it(shipped: Any, name: str) -> None:
    options = rules.load(name).options
    start = GameStart(0, name, options, 1, WireLimits(1_000, None), 2**53 - 1)
    fault = WireFault(1, "timeout")
    told = WireFault(1, "illegal", "legal were: pass, order")
    frames = [
        encode([Welcome(1, "0.1.0", "monte", {"worlds": 30})]),
        *(encode([start, decide]) for decide in whole_game(name)),
        encode([GameEnd(0, (10, 7), 0, "played", None), Bye("finished")]),
        encode([GameEnd(0, (1, 0), 0, "forfeit", fault), GameEnd(1, (1, 0), 0, "forfeit", told)]),
        encode([GameEnd(0, (0, 0), None, "void", None), Bye("finished")]),
    ]
    for frame in frames:
        assert is_valid(shipped, "frame_from_arena", json.loads(frame)), frame
        assert not is_valid(shipped, "frame_from_bot", json.loads(frame)), frame


def test_frames_of_a_bot_follow_it(shipped: Any) -> None:
    frames = [
        [Hello("3f9c", 1, 64)],
        [],
        [Act(0, 0, "order", "three trumps"), Fail(1, 3, "KeyError: 'X'"), Act(2, 0, "pass")],
    ]
    for messages in frames:
        frame = json.loads(msgspec.json.encode(messages))
        assert is_valid(shipped, "frame_from_bot", frame), frame
        assert not is_valid(shipped, "frame_from_arena", frame), frame


@pytest.mark.parametrize(
    "wrong",
    [
        HELLO,
        [{**HELLO, "token": 5}],
        [{**HELLO, "max_tables": 0}],
        [{"type": "hello", "protocol": 1}],
        [{**ACT, "type": "move"}],
        [{**ACT, "seq": -1}],
        [{**ACT, "table": "0"}],
        [{**ACT, "action": "x" * 65}],
        [{**ACT, "action": None}],
        [{**ACT, "note": "x" * 201}],
        [{"type": "act", "table": 0, "seq": 0}],
        [{**FAIL, "detail": "x" * 1001}],
        [ACT, {}],
    ],
)
def test_wrong_frames_of_a_bot_do_not(shipped: Any, wrong: Any) -> None:
    for right in ([HELLO], [ACT], [FAIL], [{**ACT, "unknown": 1}]):
        assert is_valid(shipped, "frame_from_bot", right)
    assert not is_valid(shipped, "frame_from_bot", wrong)


@pytest.mark.parametrize(
    "change",
    [
        {"legal": "pass"},
        {"budget_ms": "1s"},
        {"view": {}},
        {"view": None},
        {"seq": None},
        {"type": "ask"},
    ],
)
def test_wrong_decisions_do_not(shipped: Any, change: dict[str, Any]) -> None:
    right = json.loads(encode([next(whole_game("two_handed"))]))
    assert is_valid(shipped, "frame_from_arena", right)
    assert not is_valid(shipped, "frame_from_arena", [right[0] | change])


@pytest.mark.parametrize(
    ("field", "value"),
    [("phase", "bid"), ("hand", "JC"), ("trick", [["JC", 0]]), ("maker", "1"), ("points", None)],
)
def test_wrong_views_do_not(shipped: Any, field: str, value: Any) -> None:
    (right,) = json.loads(encode([next(whole_game("two_handed"))]))
    assert field in right["view"]
    view = right["view"] | {field: value}
    assert not is_valid(shipped, "frame_from_arena", [right | {"view": view}])


if __name__ == "__main__":
    FILE.write_text(generated(), "utf-8")
