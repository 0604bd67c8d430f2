"""The protocol with one bot process, by scripts of frames: no socket, no process, no clock."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import arena
from arena.protocol.messages import Act, Decide, Fail, GameEnd, GameStart, WireLimits
from arena.referee.fault import Fault
from arena.runtime.link import MAX_STRAYS, Answers, BotLink, Ready

TOKEN = "3f9c" * 8


def hello(**fields: object) -> dict[str, object]:
    return {"type": "hello", "token": TOKEN, "protocol": 1, **fields}


def act(table: int = 0, seq: int = 0, action: str = "pass") -> dict[str, object]:
    return {"type": "act", "table": table, "seq": seq, "action": action}


def fail(table: int = 0, seq: int = 0) -> dict[str, object]:
    return {"type": "fail", "table": table, "seq": seq}


def frame(*messages: object) -> bytes:
    return json.dumps(messages).encode()


def fresh() -> BotLink:
    return BotLink(token=TOKEN, bot="monte", params={"worlds": 30})


def ready() -> BotLink:
    link = fresh()
    assert link.greets(frame(hello(max_tables=64))) == "ours"
    assert link.receive(b"[]") == Ready()
    return link


def decide(table: int = 0, seq: int = 0) -> Decide[Any]:
    return Decide(table, seq, ("order", "pass"), 1000, {})


def ask(link: BotLink, *decisions: Decide[Any]) -> list[Any]:
    """Send decisions in one frame; return what the bot reads."""
    for one in decisions:
        link.ask(one)
    turn = link.next_frame()
    assert turn is not None
    assert turn[1] == decisions
    messages: list[Any] = json.loads(turn[0])
    return messages


def fault(found: object) -> Fault:
    assert isinstance(found, Fault), found
    return found


# the handshake


def test_a_handshake() -> None:
    link = fresh()
    assert (link.phase, link.max_tables) == ("hello", 1)
    assert link.greets(frame(hello(max_tables=7))) == "ours"
    assert (link.phase, link.max_tables) == ("loading", 7)
    assert json.loads(link.welcome()) == [
        {
            "type": "welcome",
            "protocol": 1,
            "arena": arena.__version__,
            "bot": "monte",
            "params": {"worlds": 30},
        }
    ]
    assert link.receive(b"[]") == Ready()
    assert link.phase == "idle"


@pytest.mark.parametrize(("asked_for", "given"), [(1, 1), (64, 64), (65, 64), (2**31 - 1, 64)])
def test_no_bot_gets_more_tables_than_the_arena_opens(asked_for: int, given: int) -> None:
    link = fresh()
    link.greets(frame(hello(max_tables=asked_for)))
    assert link.max_tables == given


def test_a_bot_that_does_not_say_how_many_tables_gets_one() -> None:
    link = fresh()
    link.greets(frame(hello()))
    assert link.max_tables == 1


@pytest.mark.parametrize(
    "stranger",
    [
        frame(hello(token="")),
        frame(hello(token=TOKEN[:-1])),
        frame(hello(token=TOKEN.upper())),
        frame(hello(token="\u00e9\u00e8")),
        frame(hello(token=TOKEN[:-1] + "0", protocol=2)),
        frame(act()),
        b"[]",
        b"",
        b"\xff" * 30,
        b"x" * 100_000,
    ],
)
def test_a_frame_without_the_token_may_be_anybodys_and_harms_nobody(stranger: bytes) -> None:
    link = fresh()
    for _ in range(3 * MAX_STRAYS):
        assert link.greets(stranger) == "foreign"
    assert link.greets(frame(hello())) == "ours"


@pytest.mark.parametrize("version", [0, 2, 2**53 - 1])
def test_another_version_cannot_start_and_is_named(version: int) -> None:
    link = fresh()
    found = fault(link.greets(frame(hello(protocol=version))))
    assert found.kind == "no_start"
    assert found.detail == f"protocol version 1 expected, the bot speaks {version}"


@pytest.mark.parametrize(
    ("first", "detail"),
    [
        (frame(hello(protocol="1")), "malformed hello: Expected `int`, got `str` in `protocol`"),
        (frame(hello(max_tables=0)), "malformed hello: Expected `int` >= 1 in `max_tables`"),
        (frame(hello(), hello()), "malformed hello: Expected `array` of length 1"),
        (frame(hello(type="hi")), "malformed hello: Invalid value 'hi' in `type`"),
        (json.dumps(hello()).encode(), "malformed hello: Expected `array`, got `object`"),
    ],
)
def test_a_malformed_hello_with_the_token_cannot_start(first: bytes, detail: str) -> None:
    found = fault(fresh().greets(first))
    assert found.kind == "no_start"
    assert found.detail.startswith(detail)
    assert found.got


@pytest.mark.parametrize("second", [frame(act()), frame(fail()), b"", b"ready", frame({}), b"{}"])
def test_the_second_frame_is_an_empty_array(second: bytes) -> None:
    link = fresh()
    link.greets(frame(hello()))
    found = fault(link.receive(second))
    assert found.kind == "no_start"
    assert found.detail.startswith("an empty frame [] expected when ready")


def test_a_hello_repeated_while_loading_is_ignored() -> None:
    link = fresh()
    link.greets(frame(hello()))
    assert link.receive(frame(hello())) is None
    assert link.receive(b"[]") == Ready()


# turns


def test_nothing_is_sent_before_the_bot_is_ready() -> None:
    link = fresh()
    link.ask(decide())
    assert link.next_frame() is None
    link.greets(frame(hello()))
    assert link.next_frame() is None
    link.receive(b"[]")
    assert link.next_frame() is not None


def test_a_bot_that_is_ready_is_not_sent_anything_without_a_decision() -> None:
    link = ready()
    assert link.next_frame() is None
    link.tell(GameEnd(0, (10, 7), 0, "played", None))
    assert link.next_frame() is None


def test_notices_come_before_the_decisions_and_once() -> None:
    link = ready()
    link.tell(GameEnd(0, (10, 7), 0, "played", None))
    link.tell(GameStart(1, "two_handed", {}, 0, WireLimits(1000, None), 5))
    sent = ask(link, decide(1))
    assert [message["type"] for message in sent] == ["game_end", "game_start", "decide"]
    assert link.receive(frame(act(1))) == Answers((Act(1, 0, "pass"),))
    assert [message["type"] for message in ask(link, decide(1, 1))] == ["decide"]


def test_while_a_bot_thinks_further_decisions_wait_for_the_next_frame() -> None:
    link = ready()
    ask(link, decide(0), decide(1))
    link.ask(decide(2))
    assert link.next_frame() is None
    link.ask(decide(3))
    assert link.receive(frame(act(0), act(1))) == Answers((Act(0, 0, "pass"), Act(1, 0, "pass")))
    turn = link.next_frame()
    assert turn is not None
    assert turn[1] == (decide(2), decide(3))


def test_answers_in_any_order_are_given_in_the_order_of_the_decisions() -> None:
    link = ready()
    ask(link, decide(0, 4), decide(1, 2), decide(2))
    found = link.receive(frame(act(2, 0, "c"), fail(0, 4), act(1, 2, "b")))
    assert found == Answers((Fail(0, 4), Act(1, 2, "b"), Act(2, 0, "c")))


def test_one_by_one_each_decision_has_a_frame_of_its_own_then_they_share_again() -> None:
    link = ready()
    for table in range(5):
        link.ask(decide(table))
    link.ask_one_by_one(2)
    sizes = []
    while (turn := link.next_frame()) is not None:
        sizes.append(len(turn[1]))
        link.receive(frame(*(act(one.table) for one in turn[1])))
    assert sizes == [1, 1, 3]


def test_tables_are_numbered_from_0_and_never_again() -> None:
    link = ready()
    assert [link.open_table() for _ in range(3)] == [0, 1, 2]


def test_the_farewell_tells_what_was_not_told_yet_and_closes() -> None:
    link = ready()
    link.tell(GameEnd(0, (10, 7), 0, "played", None))
    assert [m["type"] for m in json.loads(link.bye("finished"))] == ["game_end", "bye"]
    link.ask(decide())
    assert link.next_frame() is None


# wrong answers


@pytest.mark.parametrize(
    "wrong",
    [
        b"",
        b"[]",
        b"order",
        frame(act(table=7)),
        frame(act(seq=1)),
        frame(act(), act(seq=1)),
        frame(act(), act(table=1)),
        frame(fail(table=7)),
        frame(act(), {"type": "move"}),
        b"\xff",
        b"[]".ljust(4097),
    ],
)
def test_a_wrong_answer_is_malformed_at_once(wrong: bytes) -> None:
    link = ready()
    ask(link, decide())
    assert fault(link.receive(wrong)).kind == "malformed"


@pytest.mark.parametrize("given", [(), (0,), (1,), (2,), (0, 1), (1, 2)])
def test_every_decision_of_a_frame_must_be_answered(given: tuple[int, ...]) -> None:
    link = ready()
    ask(link, decide(0), decide(1), decide(2))
    found = fault(link.receive(frame(*(act(table) for table in given))))
    assert found.kind == "malformed"
    assert found.detail == "exactly one answer for each decision expected"


def test_the_limit_of_a_frame_grows_with_its_decisions() -> None:
    link = ready()
    ask(link, decide(0), decide(1))
    answer = frame(act(0), act(1)).ljust(8192)
    assert isinstance(link.receive(answer), Answers)
    ask(link, decide(0, 1), decide(1, 1))
    answer = frame(act(0, 1), act(1, 1)).ljust(8193)
    assert fault(link.receive(answer)).kind == "malformed"


@pytest.mark.parametrize("unasked", [b"[]", b"", frame(act()), frame(act(0, 1)), frame(act(9))])
def test_an_answer_nobody_asked_for_is_malformed(unasked: bytes) -> None:
    assert fault(ready().receive(unasked)).kind == "malformed"


# repeated answers and hellos


def test_an_answer_given_again_is_dropped_in_the_same_frame_and_later() -> None:
    link = ready()
    ask(link, decide())
    both = frame(act(action="order"), act(action="pass"), fail())
    assert link.receive(both) == Answers((Act(0, 0, "order"),))
    assert link.receive(frame(act(action="pass"))) is None
    ask(link, decide(0, 1), decide(1))
    assert link.receive(frame(act(0, 0))) is None, "still waiting for the answer that is due"
    answers = link.receive(frame(act(0, 0), act(0, 1), hello(), act(1)))
    assert answers == Answers((Act(0, 1, "pass"), Act(1, 0, "pass")))


def test_an_answer_given_again_does_not_stand_for_one_that_is_due() -> None:
    link = ready()
    ask(link, decide(0), decide(1))
    link.receive(frame(act(0), act(1)))
    ask(link, decide(0, 1), decide(1, 1))
    assert fault(link.receive(frame(act(0, 1), act(1, 0)))).kind == "malformed"


def test_a_decision_that_was_never_put_to_this_process_was_not_answered_either() -> None:
    link = ready()
    ask(link, decide(0, 5))
    link.receive(frame(act(0, 5)))
    assert fault(link.receive(frame(act(0, 6)))).kind == "malformed"


def strays(link: BotLink) -> list[bytes]:
    """All kinds of frames that are dropped and counted, after a decision was answered."""
    ask(link, decide())
    link.receive(frame(act()))
    return [frame(act()), frame(hello()), frame(fail()), frame(hello(token="another"))]


def test_sixteen_strays_are_dropped_and_the_seventeenth_is_a_flood() -> None:
    link = ready()
    kinds = strays(link)
    for number in range(MAX_STRAYS):
        assert link.receive(kinds[number % len(kinds)]) is None
    found = fault(link.receive(kinds[0]))
    assert found == Fault("flood", "more than 16 repeated answers or hellos")


@pytest.mark.parametrize(("count", "is_flood"), [(16, False), (17, True)])
def test_strays_within_one_frame_count_each(count: int, is_flood: bool) -> None:
    link = ready()
    ask(link, decide())
    found = link.receive(frame(act(), *[act()] * count))
    assert (fault(found).kind == "flood") if is_flood else isinstance(found, Answers)


def test_strays_count_over_the_whole_life_of_a_process() -> None:
    link = fresh()
    link.greets(frame(hello()))
    for _ in range(MAX_STRAYS // 2):
        assert link.receive(frame(hello())) is None
    link.receive(b"[]")
    for seq in range(MAX_STRAYS // 2):
        ask(link, decide(0, seq))
        assert isinstance(link.receive(frame(act(0, seq), act(0, seq))), Answers)
    ask(link, decide(0, 100))
    assert fault(link.receive(frame(act(0, 100), hello()))).kind == "flood"


def test_a_flood_of_hellos_while_loading_ends_the_start() -> None:
    link = fresh()
    link.greets(frame(hello()))
    for _ in range(MAX_STRAYS):
        assert link.receive(frame(hello())) is None
    assert fault(link.receive(frame(hello()))).kind == "flood"


# anything at all

MESSAGES = st.one_of(
    st.builds(act, st.integers(0, 3), st.integers(0, 3)),
    st.builds(fail, st.integers(0, 3), st.integers(0, 3)),
    st.just(hello()),
    st.just({"type": "bye"}),
)
FRAMES = st.one_of(
    st.lists(MESSAGES, max_size=4).map(lambda some: frame(*some)), st.binary(max_size=8)
)


@given(st.lists(st.one_of(FRAMES, st.integers(0, 3)), max_size=30))
def test_whatever_a_bot_sends_the_answers_fit_what_was_asked(script: list[bytes | int]) -> None:
    """A number asks at that table; bytes come from the bot."""
    link = ready()
    seqs = dict.fromkeys(range(4), 0)
    asked: tuple[Decide[Any], ...] = ()
    waiting: list[Decide[Any]] = []
    for step in script:
        if isinstance(step, int):
            if all(one.table != step for one in (*asked, *waiting)):
                waiting.append(decide(step, seqs[step]))
                link.ask(waiting[-1])
                seqs[step] += 1
            if (turn := link.next_frame()) is not None:
                asked, waiting = turn[1], []
            continue
        found = link.receive(step)
        if isinstance(found, Fault):
            assert found.kind in {"malformed", "flood"}
            return
        if isinstance(found, Answers):
            assert asked
            keys = [(one.table, one.seq) for one in found.answers]
            assert keys == [(one.table, one.seq) for one in asked]
            asked = ()
        assert (link.phase == "thinking") == bool(asked)
