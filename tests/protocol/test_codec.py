"""Frames in and out: what hostile bytes become, and that they never become an exception."""

from __future__ import annotations

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from arena.protocol.codec import (
    MAX_ANSWER_BYTES,
    Malformed,
    decode_answers,
    decode_hello,
    encode,
    show,
)
from arena.protocol.messages import (
    MAX_NOTE_LENGTH,
    Act,
    ArenaMessage,
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

ACT = b'{"type":"act","table":0,"seq":0,"action":"pass"}'


def act(**fields: object) -> bytes:
    return json.dumps([{"type": "act", "table": 0, "seq": 0, "action": "pass", **fields}]).encode()


def malformed(frame: bytes, decisions: int = 1) -> Malformed:
    found = decode_answers(frame, decisions)
    assert isinstance(found, Malformed), found
    return found


def test_answers_become_typed_messages_in_their_order() -> None:
    frame = (
        b'[{"type":"act","table":3,"seq":7,"action":"play:9S","note":"why not","extra":[1,{}]},'
        b' {"type":"fail","table":4,"seq":0,"detail":"KeyError"},'
        b' {"type":"fail","table":5,"seq":1},'
        b' {"type":"hello","token":"t","protocol":1}]'
    )
    assert decode_answers(frame, 3) == [
        Act(3, 7, "play:9S", "why not"),
        Fail(4, 0, "KeyError"),
        Fail(5, 1),
        Hello("t", 1, max_tables=1),
    ]


def test_an_empty_array_is_a_frame_without_answers() -> None:
    assert decode_answers(b"[]", 0) == []
    assert decode_answers(b" [ ] ", 1) == []


@pytest.mark.parametrize(
    ("frame", "detail"),
    [
        (b"", "Input data was truncated"),
        (b"pass", "JSON is malformed: invalid character"),
        (b"[", "Input data was truncated"),
        (b"[" + ACT, "Input data was truncated"),
        (b"[]x", "JSON is malformed: trailing characters"),
        (b"[] []", "JSON is malformed: trailing characters"),
        (b"[" + ACT + b",]", "JSON is malformed: trailing comma in array"),
        (b"\xef\xbb\xbf[]", "JSON is malformed: invalid character"),
        (b"[NaN]", "JSON is malformed: invalid character"),
        (b'[{"type":"act","table":0,"seq":0,"action":"a\x00b"}]', "JSON is malformed: "),
        ("[]".encode("utf-16"), "not UTF-8"),
        (act(action="\u00e9").decode().encode("latin-1")[:-6] + b'\xe9"}]', "not UTF-8"),
        (b'[{"type":"act","table":0,"seq":0,"action":"pass","unknown":"\xff"}]', "not UTF-8"),
        (b'[{"type":"act","table":0,"seq":0,"action":"\xed\xa0\x80"}]', "not UTF-8"),
        (b'[{"type":"act","table":0,"seq":0,"action":"\\ud800 alone"}]', "JSON is malf"),
        (b"{}", "Expected `array`, got `object`"),
        (b"null", "Expected `array`, got `null`"),
        (ACT, "Expected `array`, got `object`"),
        (b"[[]]", "Expected `object`, got `array`"),
        (b'["pass"]', "Expected `object`, got `str`"),
    ],
)
def test_what_is_no_array_of_objects_is_malformed(frame: bytes, detail: str) -> None:
    assert malformed(frame).detail.startswith(detail)


@pytest.mark.parametrize(
    ("frame", "detail"),
    [
        (b"[{}]", "Object missing required field `type`"),
        (b'[{"type":1}]', "Expected `str` in `type`"),
        (b'[{"type":"move"}]', "Invalid value 'move' in `type`"),
        (b'[{"type":"bye","reason":"no"}]', "Invalid value 'bye' in `type`"),
        (b'[{"type":"act"}]', "Object missing required field `table`"),
        (b'[{"type":"act","table":0}]', "Object missing required field `seq`"),
        (b'[{"type":"act","table":0,"seq":0}]', "Object missing required field `action`"),
        (act(table="0"), "Expected `int`, got `str` in `table`"),
        (act(table=True), "Expected `int`, got `bool` in `table`"),
        (act(table=1.5), "Expected `int`, got `float` in `table`"),
        (act(table=-1), "Expected `int` >= 0 in `table`"),
        (act(table=float("nan")), "JSON is malformed: invalid character"),
        (act(table=float("-inf")), "JSON is malformed: invalid "),
        (act(unknown=float("nan")), "JSON is malformed: invalid character"),
        (act(seq=None), "Expected `int`, got `null` in `seq`"),
        (act(seq=2**53), "Expected `int` <= 9007199254740991 in `seq`"),
        (act(seq=10**1000), "Expected `int` <= 9007199254740991 in `seq`"),
        (act().replace(b'"seq": 0', b'"seq": 1e999'), "Number out of range in `seq`"),
        (act(action=5), "Expected `str`, got `int` in `action`"),
        (act(action=["pass"]), "Expected `str`, got `array` in `action`"),
        (act(action="x" * 65), "Expected `str` of length <= 64 in `action`"),
        (act(note=5), "Expected `str | null`, got `int` in `note`"),
        (act(note="x" * (MAX_NOTE_LENGTH + 1)), "Expected `str` of length <= 200 in `note`"),
        (b'[{"type":"fail","table":0,"seq":0,"detail":{}}]', "Expected `str`, got `object` in `de"),
        (b'[{"type":"hello","token":"t","protocol":"1"}]', "Expected `int`, got `str` in `protoco"),
    ],
)
def test_a_wrong_field_is_named(frame: bytes, detail: str) -> None:
    assert malformed(frame).detail.startswith(detail)


def test_numbers_and_strings_are_right_up_to_their_borders() -> None:
    frame = act(table=2**53 - 1, action="x" * 64, note="\u2663" * MAX_NOTE_LENGTH)
    assert decode_answers(frame, 1) == [Act(2**53 - 1, 0, "x" * 64, "\u2663" * MAX_NOTE_LENGTH)]
    assert decode_answers(act(action=""), 1) == [Act(0, 0, "")]


def test_an_escaped_pair_of_surrogates_is_one_character() -> None:
    assert decode_answers(act(action="\U0001f0a1"), 1) == [Act(0, 0, "\U0001f0a1")]


def test_the_last_of_duplicate_keys_counts_and_the_type_may_not_change() -> None:
    twice = b'[{"type":"act","table":0,"seq":0,"action":"pass","action":"order"}]'
    assert decode_answers(twice, 1) == [Act(0, 0, "order")]
    other = b'[{"type":"act","type":"fail","table":0,"seq":0,"action":"pass"}]'
    assert malformed(other).detail == "Invalid value 'fail' in `type`"


@pytest.mark.parametrize("decisions", [0, 1, 3, 64])
def test_the_size_of_a_frame_is_limited_by_its_decisions(decisions: int) -> None:
    limit = MAX_ANSWER_BYTES * max(decisions, 1)
    assert decode_answers(b"[]".ljust(limit), decisions) == []
    found = malformed(b"[]".ljust(limit + 1), decisions)
    assert found.detail == "more than the limit of 4096 bytes per decision"
    assert f"({limit + 1} bytes)" in found.got


def test_a_mebibyte_is_shown_by_its_beginning_only() -> None:
    found = malformed(b"x" * 2**20)
    assert found.got == "'" + "x" * 80 + "'... (1048576 bytes)"


@pytest.mark.parametrize("opening", [b"[", b'{"x":', b'[{"type":"act","x":', b'[{"x":'])
def test_deep_nesting_is_malformed_however_deep(opening: bytes) -> None:
    for depth in (2_000, 100_000):
        malformed(opening * (depth // len(opening)), decisions=64)
    closed = b'[{"type":"act","x":' + b"[" * 120_000 + b"]" * 120_000 + ACT[14:] + b"]"
    assert malformed(closed, decisions=64).detail == "nested too deeply"


def test_a_detail_cannot_harm_a_terminal_and_is_short() -> None:
    found = malformed(b'[{"type":"\\u001b[2J\\u202e"}]')
    assert found.detail == r"Invalid value '\x1b[2J\u202e' in `type`"
    long = malformed(b'[{"type":"' + b"x" * 3_000 + b'"}]')
    assert long.detail.startswith("Invalid value 'xxx")
    assert long.detail.endswith("xxx' in `type`")
    assert_fit_to_be_shown(long)


def test_a_detail_is_the_same_however_many_tables_were_open() -> None:
    """One bot's slip must read the same alone and as the fortieth answer of a frame."""
    for wrong in (b'"table":%d,"seq":"x"', b'"table":%d,"seq":NaN', b'"table":%d'):
        alone = malformed(b'[{"type":"act",' + wrong % 0 + b"}]")
        before = ACT + b","
        among = malformed(b"[" + before * 39 + b'{"type":"act",' + wrong % 39 + b"}]", 40)
        assert alone.detail == among.detail


@pytest.mark.parametrize(
    ("frame", "shown"),
    [
        (b"", "''"),
        (b"\x1b[31m\xff'", r'"\x1b[31m\xff' + "'" + '"'),
        (b"a" * 80, "'" + "a" * 80 + "'"),
        (b"a" * 81, "'" + "a" * 80 + "'... (81 bytes)"),
    ],
)
def test_bytes_are_shown_escaped_and_cut(frame: bytes, shown: str) -> None:
    assert show(frame) == shown


@pytest.mark.parametrize(
    ("frame", "detail"),
    [
        (b"[]", "Expected `array` of length 1"),
        (b"{}", "Expected `array`, got `object`"),
        (b'[{"type":"act"}]', "Invalid value 'act' in `type`"),
        (b'[{"type":"hello","protocol":1}]', "Object missing required field `token`"),
        (b'[{"type":"hello","token":"t"}]', "Object missing required field `protocol`"),
        (b'[{"type":"hello","token":"t","protocol":-1}]', "Expected `int` >= 0 in `protocol`"),
        (b'[{"type":"hello","token":"t","protocol":1,"max_tables":0}]', "Expected `int` >= 1 in"),
        (b'[{"type":"hello","token":"' + b"t" * 65 + b'","protocol":1}]', "Expected `str` of len"),
        (b"[]".ljust(MAX_ANSWER_BYTES + 1), "more than the limit of 4096 bytes"),
        (b'[{"type":"hello","token":"\xff","protocol":1}]', "not UTF-8"),
    ],
)
def test_a_first_frame_is_one_hello(frame: bytes, detail: str) -> None:
    found = decode_hello(frame)
    assert isinstance(found, Malformed)
    assert found.detail.startswith(detail)


def test_a_second_hello_in_the_first_frame_is_malformed() -> None:
    hello = b'{"type":"hello","token":"t","protocol":1,"max_tables":64}'
    assert decode_hello(b"[" + hello + b"]") == Hello("t", 1, 64)
    assert isinstance(decode_hello(b"[" + hello + b"," + hello + b"]"), Malformed)


def test_the_arenas_messages_are_those_of_the_contract() -> None:
    view = {"seat": 1}
    limits = WireLimits(1000, 60000)
    messages: list[ArenaMessage] = [
        Welcome(1, "0.1.0", "monte", {"worlds": 30}),
        GameStart(0, "two_handed", {"deck_size": 24}, 1, limits, 4503599627370495),
        Decide(0, 0, ("order", "pass"), 1000, view),
        GameEnd(0, (10, 7), 0, "played", None),
        GameEnd(1, (0, 0), 1, "forfeit", WireFault(0, "timeout")),
        GameEnd(2, (0, 0), 1, "forfeit", WireFault(0, "timeout", "no answer")),
        Bye("finished"),
    ]
    assert json.loads(encode(messages)) == [
        {
            "type": "welcome",
            "protocol": 1,
            "arena": "0.1.0",
            "bot": "monte",
            "params": {"worlds": 30},
        },
        {
            "type": "game_start",
            "table": 0,
            "variant": "two_handed",
            "options": {"deck_size": 24},
            "seat": 1,
            "limits": {"move_ms": 1000, "game_ms": 60000},
            "bot_seed": 4503599627370495,
        },
        {
            "type": "decide",
            "table": 0,
            "seq": 0,
            "legal": ["order", "pass"],
            "budget_ms": 1000,
            "view": {"seat": 1},
        },
        game_end(0, [10, 7], 0, "played", None),
        game_end(1, [0, 0], 1, "forfeit", {"seat": 0, "kind": "timeout"}),
        game_end(2, [0, 0], 1, "forfeit", {"seat": 0, "kind": "timeout", "detail": "no answer"}),
        {"type": "bye", "reason": "finished"},
    ]


def game_end(table: int, points: list[int], winner: int, ended: str, fault: object) -> object:
    return {
        "type": "game_end",
        "table": table,
        "points": points,
        "winner": winner,
        "ended": ended,
        "fault": fault,
    }


# hostile bytes

VALID = (
    b'[{"type":"act","table":12,"seq":3,"action":"play:JH","note":"x \\u2663 y"},'
    b'{"type":"fail","table":13,"seq":0,"detail":"KeyError: \'9S\'"}]'
)
HELLO = b'[{"type":"hello","token":"3f9c","protocol":1,"max_tables":64}]'
SCRAPS = st.sampled_from(
    [
        *(bytes([c]) for c in b'"[]{},:-9\x00\xff\\'),
        *(b"\\u", b"\\ud800", b"\xed\xa0\x80", b"NaN", b"1e999", b"null", b"true", b'"type":'),
        *(b"9" * 400, b"[" * 900),
    ]
)


@st.composite
def mutated(draw: st.DrawFn, valid: bytes) -> bytes:
    """A valid frame with some pieces cut out, doubled or overwritten."""
    frame = valid
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(frame)))
        end = draw(st.integers(start, min(len(frame), start + 12)))
        new = draw(st.one_of(st.just(b""), SCRAPS, st.binary(max_size=4), st.just(frame[:start])))
        frame = frame[:start] + new + frame[end:]
    return frame


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["type", "table", "seq", "action", "note", "detail", "token", "x"]),
            inner | st.sampled_from(["act", "fail", "hello"]),
            max_size=5,
        )
    ),
    max_leaves=12,
)


def assert_fit_to_be_shown(found: Malformed) -> None:
    for text in (found.detail, found.got):
        assert text.isascii()
        assert text.isprintable()
        assert len(text) < 500
    assert found.detail


def assert_harmless(frame: bytes, decisions: int) -> None:
    found = decode_answers(frame, decisions)
    if isinstance(found, Malformed):
        assert_fit_to_be_shown(found)
    else:
        assert all(type(one) in {Act, Fail, Hello} for one in found)
        str(found).encode()  # no lone surrogate got through: it would break whatever stores it
    hello = decode_hello(frame)
    if isinstance(hello, Malformed):
        assert_fit_to_be_shown(hello)
    else:
        hello.token.encode()


@given(st.binary(max_size=200), st.integers(0, 64))
@example(b"\xff\xfe[\x00]\x00", 1)
def test_arbitrary_bytes_are_harmless(frame: bytes, decisions: int) -> None:
    assert_harmless(frame, decisions)


@given(st.one_of(mutated(VALID), mutated(HELLO)), st.integers(0, 2))
@example(VALID, 2)
def test_mutated_frames_are_harmless(frame: bytes, decisions: int) -> None:
    assert_harmless(frame, decisions)


@given(JSON_VALUES, st.booleans())
def test_arbitrary_values_are_harmless(value: object, ascii_only: bool) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only)
    assert_harmless(text.encode("utf-8", "surrogatepass"), 1)


ACTS = st.builds(
    Act,
    st.integers(0, 2**53 - 1),
    st.integers(0, 2**53 - 1),
    st.text(max_size=64),
    st.none() | st.text(max_size=MAX_NOTE_LENGTH),
)


@given(st.lists(ACTS, max_size=5))
def test_what_an_honest_bot_writes_with_any_json_library_is_read(acts: list[Act]) -> None:
    plain = [
        {"type": "act", "table": a.table, "seq": a.seq, "action": a.action, "note": a.note}
        for a in acts
    ]
    assert decode_answers(json.dumps(plain).encode(), 64) == acts
    assert decode_answers(json.dumps(plain, ensure_ascii=False, indent=1).encode(), 64) == acts


def test_the_limit_holds_for_each_answer_whatever_the_others_leave() -> None:
    short = {"type": "act", "table": 0, "seq": 0, "action": "pass"}
    long = {**short, "table": 1, "padding": "x" * MAX_ANSWER_BYTES}
    for decisions in (1, 2, 64):
        frame = json.dumps([short, long][-decisions:]).encode()
        heard = decode_answers(frame, decisions)
        assert isinstance(heard, Malformed)
        assert heard.detail == "more than the limit of 4096 bytes per decision"
    just = {**long, "padding": ""}
    just["padding"] = "x" * (MAX_ANSWER_BYTES - len(json.dumps(just)))
    assert not isinstance(decode_answers(json.dumps([short, just]).encode(), 2), Malformed)
