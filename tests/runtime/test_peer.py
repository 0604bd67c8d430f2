"""A bot behind a socket that a test holds, with a clock that a test holds: no process."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest
from jobs import bot

from arena.protocol.messages import Act, Decide
from arena.referee.clock import Limits
from arena.referee.fault import Fault
from arena.runtime.endpoint import Endpoint
from arena.runtime.isolation import Isolation
from arena.runtime.link import Ready
from arena.runtime.peer import Lost, Peer, PeerEvent, Replies

OURS, STRANGER = b"ours", b"stranger"
MS = 1_000_000


class HeldEndpoint:
    """What comes is put in by a test; what is sent is kept."""

    def __init__(self) -> None:
        self.coming: Iterator[list[bytes]] = iter(())
        self.sent: list[tuple[bytes, bytes]] = []
        self.is_closed = False

    def receive(self) -> tuple[bytes, list[bytes]] | None:
        message = next(self.coming, None)
        return None if message is None else (message[0], message[1:])

    def send(self, identity: bytes, frame: bytes) -> None:
        self.sent.append((identity, frame))

    def close(self) -> None:
        self.is_closed = True


class Held:
    """A peer, its socket and the time."""

    def __init__(self, limits: Limits) -> None:
        self.endpoint = HeldEndpoint()
        self.peer = Peer(
            bot("a@1", limits=limits),
            0,
            Path("/nowhere"),
            log=None,
            isolation=Isolation("none", ()),
        )
        self.peer.endpoint = cast("Endpoint", self.endpoint)
        self.peer.link = self.peer._new_link("secret")
        self.now_ns = 0

    def hear(self, *frames: list[bytes]) -> list[PeerEvent]:
        self.endpoint.coming = iter(frames)
        events = [self.peer.receive(self.now_ns) for _ in frames]
        return [event for event in events if event is not None]

    def get_ready(self) -> None:
        hello = json.dumps([{"type": "hello", "token": "secret", "protocol": 1}]).encode()
        assert self.hear([OURS, hello]) == []
        assert self.hear([OURS, b"[]"]) == [Ready()]
        assert self.peer.deadline_ns is None

    def ask(self, *budgets_ms: int) -> None:
        for table, budget_ms in enumerate(budgets_ms):
            self.peer.link.ask(Decide(table, 0, ("pass",), budget_ms, {}))
        self.peer.flush(lambda: self.now_ns)
        assert len(self.peer.asked) == len(budgets_ms)


@pytest.fixture
def held() -> Held:
    return Held(Limits(move_ms=1_000, game_ms=5_000, start_ms=2_000, grace_ms=50))


def acts(count: int) -> bytes:
    some = [{"type": "act", "table": n, "seq": 0, "action": "pass"} for n in range(count)]
    return json.dumps(some).encode()


def lost(events: list[PeerEvent]) -> Lost:
    (event,) = events
    assert isinstance(event, Lost), event
    return event


# who is heard


def test_the_first_valid_hello_binds_the_peer_and_strangers_are_not_heard(held: Held) -> None:
    wrong = json.dumps([{"type": "hello", "token": "guess", "protocol": 1}]).encode()
    assert held.hear([STRANGER, wrong], [STRANGER, b"noise"], [STRANGER, b"a", b"b"]) == []
    held.get_ready()
    (welcome,) = held.endpoint.sent
    assert welcome[0] == OURS
    held.ask(1_000)
    hello = json.dumps([{"type": "hello", "token": "secret", "protocol": 1}]).encode()
    assert held.hear([STRANGER, hello], [STRANGER, acts(1)], [STRANGER, b"\xff"]) == []
    (replies,) = held.hear([OURS, acts(1)])
    assert isinstance(replies, Replies)


@pytest.mark.timeout(20)
@pytest.mark.parametrize("is_bound", [False, True])
def test_a_stranger_that_sends_without_end_does_not_hold_up_the_games(
    held: Held, is_bound: bool
) -> None:
    if is_bound:
        held.get_ready()
    held.endpoint.coming = iter(lambda: [STRANGER, b"noise"], None)
    assert held.peer.receive(0) is None


def test_whatever_a_process_does_before_it_is_ready_it_has_failed_to_start(held: Held) -> None:
    hello = json.dumps([{"type": "hello", "token": "secret", "protocol": 1}]).encode()
    held.hear([OURS, hello])
    event = lost(held.hear([OURS, b"[", b"]"]))
    assert event == Lost(Fault("no_start", "a frame must be one message part"), ())
    assert held.endpoint.is_closed
    assert not held.peer.is_alive


def test_a_frame_in_two_parts_is_malformed_and_goes_with_what_was_owed(held: Held) -> None:
    held.get_ready()
    held.ask(1_000, 1_000)
    event = lost(held.hear([OURS, b"[", b"]"]))
    assert event.fault.kind == "malformed"
    assert [decide.table for decide in event.asked] == [0, 1]


# time


def test_time_runs_from_sending_to_receiving_and_is_shared_by_the_decisions(held: Held) -> None:
    held.get_ready()
    held.now_ns = 7 * MS
    held.ask(1_000, 1_000, 1_000)
    held.now_ns = 607 * MS + 999
    (replies,) = held.hear([OURS, acts(3)])
    assert isinstance(replies, Replies)
    assert replies.elapsed_us == 200_000
    assert replies.answers == tuple(Act(n, 0, "pass") for n in range(3))
    assert held.peer.deadline_ns is None


def test_no_time_is_negative(held: Held) -> None:
    """The clock is put back when the arena was late, even if that was while it sent the frame."""
    held.get_ready()
    held.now_ns = 100 * MS
    held.ask(1_000)
    held.now_ns = 99 * MS
    (replies,) = held.hear([OURS, acts(1)])
    assert isinstance(replies, Replies)
    assert replies.elapsed_us == 0


@pytest.mark.parametrize(
    ("budgets_ms", "limit_ms"),
    [
        ((1_000,), 1_050),
        ((300,), 350),
        ((0,), 50),
        ((1_000, 1_000, 1_000), 1_050),
        ((300, 300), 650),
        ((300, 1_000), 1_050),
    ],
)
def test_a_frame_has_one_move_limit_in_all(
    held: Held, budgets_ms: tuple[int, ...], limit_ms: int
) -> None:
    held.get_ready()
    held.now_ns = 5 * MS
    held.ask(*budgets_ms)
    assert held.peer.deadline_ns == (5 + limit_ms) * MS


def test_an_answer_at_the_deadline_counts_and_a_nanosecond_later_it_is_late(held: Held) -> None:
    held.get_ready()
    held.ask(1_000)
    held.now_ns = 1_050 * MS
    (replies,) = held.hear([OURS, acts(1)])
    assert isinstance(replies, Replies)
    assert replies.elapsed_us == 1_050_000
    held.peer.link.ask(Decide(0, 1, ("pass",), 1_000, {}))
    held.peer.flush(lambda: held.now_ns)
    held.now_ns += 1_050 * MS + 1
    event = lost(held.hear([OURS, acts(1)]))
    assert event.fault.kind == "timeout"
    assert len(event.asked) == 1


def test_the_start_limit_covers_the_handshake(held: Held) -> None:
    held.peer.deadline_ns = 2_000 * MS
    assert held.peer.expire() == Lost(Fault("no_start", "no hello within 2000 ms"), ())
    assert held.peer.deadline_ns is None


def test_a_hello_may_be_too_late_to_be_ready_in_time(held: Held) -> None:
    held.peer.deadline_ns = 2_000 * MS
    hello = json.dumps([{"type": "hello", "token": "secret", "protocol": 1}]).encode()
    held.now_ns = 1_999 * MS
    held.hear([OURS, hello])
    held.now_ns = 2_001 * MS
    event = lost(held.hear([OURS, b"[]"]))
    assert event.fault == Fault("no_start", "no ready frame [] within 2000 ms")


# the end


def test_the_farewell_is_said_to_a_bound_peer_only(held: Held) -> None:
    held.peer.dismiss("finished")
    assert held.endpoint.sent == []
    held.get_ready()
    held.peer.dismiss("finished")
    assert json.loads(held.endpoint.sent[-1][1]) == [{"type": "bye", "reason": "finished"}]


def test_a_peer_that_was_closed_is_silent(held: Held) -> None:
    held.get_ready()
    held.ask(1_000)
    held.peer.close()
    held.peer.close()
    assert held.hear([OURS, acts(1)]) == []
    held.peer.mourn(0)
    held.peer.flush(lambda: 0)
    assert held.peer.deadline_ns is None
    assert len(held.endpoint.sent) == 2, "the welcome and the decision"
