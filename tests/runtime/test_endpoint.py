"""What libzmq lets in at an endpoint is seen: who is connected, how much hangs there."""

from __future__ import annotations

import os
import shutil
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
import zmq
from processes import wait_until

from arena.errors import SurroundingsError
from arena.runtime import endpoint
from arena.runtime.endpoint import Endpoint

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only there it can be seen")

MB = 1_000_000
MOST_UNSEEN = 1002
"""Those that were told of, and the one that the thread waits to tell of."""
PART = b"\x03" + struct.pack(">Q", 40_000) + b"x" * 40_000
"""More is to follow, always."""
SILENT = """
import socket, sys
held = []
for _ in range(int(sys.argv[2])):
    held.append(socket.socket(socket.AF_UNIX))
    held[-1].connect(sys.argv[1])
print(flush=True)
input()
"""


@pytest.fixture
def place(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tmp_path_factory.mktemp("e") / "endpoint")


@pytest.fixture
def bound(place: str) -> Iterator[Endpoint]:
    bound = Endpoint(place)
    yield bound
    bound.close()


def received(bound: Endpoint) -> tuple[bytes, list[bytes]]:
    found: list[tuple[bytes, list[bytes]]] = []

    def look() -> bool:
        message = bound.receive()
        if message is not None:
            found.append(message)
        return bool(found)

    assert wait_until(look)
    return found[0]


def dealer(closing: ExitStack, place: str) -> zmq.Socket[bytes]:
    context = zmq.Context()
    closing.callback(context.destroy, linger=0)
    peer: zmq.Socket[bytes] = context.socket(zmq.DEALER)
    peer.setsockopt(zmq.RCVTIMEO, 30_000)
    peer.connect(f"ipc://{place}")
    return peer


def greet(place: str) -> socket.socket:
    """Return a connection that has shaken hands by hand, as libzmq 4 does."""
    one = socket.socket(socket.AF_UNIX)
    one.connect(place)
    one.sendall(b"\xff" + bytes(8) + b"\x7f\x03\x00" + b"NULL".ljust(20, b"\0") + bytes(32))
    left = 64
    while left:
        left -= len(one.recv(left))
    body = b"\x05READY\x0bSocket-Type" + struct.pack(">I", 6) + b"DEALER"
    one.sendall(bytes([4, len(body)]) + body)
    return one


@contextmanager
def connecting(place: str, number: int, *chain: str, waits: bool = True) -> Iterator[int]:
    """Yield the pid of a process that makes connections and says nothing on them."""
    words = [*chain, sys.executable, "-S", "-c", SILENT, place, str(number)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        try:
            if waits:
                other.stdout.readline()
            yield other.pid
        finally:
            other.kill()


def descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def test_frames_go_both_ways(bound: Endpoint) -> None:
    assert bound.receive() is None
    with ExitStack() as closing:
        peer = dealer(closing, bound.path)
        peer.send(b"[1]")
        identity, parts = received(bound)
        assert parts == [b"[1]"]
        bound.send(identity, b"[2]")
        assert peer.recv() == b"[2]"


def test_who_does_not_read_or_has_gone_holds_nobody_up(bound: Endpoint) -> None:
    with ExitStack() as closing:
        peer = dealer(closing, bound.path)
        peer.send(b"")
        identity, _ = received(bound)
        for _ in range(500):
            bound.send(identity, b"x" * 100_000)
    bound.send(b"nobody", b"[]")


def test_a_path_that_cannot_be_bound_is_the_machines_doing(tmp_path: Path) -> None:
    with pytest.raises(SurroundingsError, match="no socket for a bot: "):
        Endpoint(str(tmp_path / "nowhere" / "endpoint"))


@pytest.mark.parametrize("number", [1, 40])
def test_connections_are_those_of_the_process_that_made_them(bound: Endpoint, number: int) -> None:
    with connecting(bound.path, number) as pid:
        assert wait_until(lambda: bound.connections() == (pid,) * number)
    assert wait_until(lambda: bound.connections() == ())


def test_a_connection_belongs_to_the_endpoint_that_accepted_it(bound: Endpoint, place: str) -> None:
    other = Endpoint(f"{place}2")
    with connecting(bound.path, 2) as first, connecting(other.path, 3) as second:
        assert wait_until(lambda: bound.connections() == (first,) * 2)
        assert wait_until(lambda: other.connections() == (second,) * 3)
    other.close()


def test_who_connects_twice_counts_twice_and_who_went_counts_no_more(bound: Endpoint) -> None:
    own = os.getpid()
    with greet(bound.path), greet(bound.path):
        assert wait_until(lambda: bound.connections() == (own, own))
    assert wait_until(lambda: bound.connections() == ())
    with greet(bound.path):  # most likely behind one of the same descriptors
        assert wait_until(lambda: bound.connections() == (own,))


def test_a_descriptor_that_has_become_something_else_is_no_connection(bound: Endpoint) -> None:
    with greet(bound.path):
        assert wait_until(lambda: len(bound.connections()) == 1)
        many = descriptors()
    assert wait_until(lambda: descriptors() == many - 2)
    with ExitStack() as closing:
        for number in range(2):
            other = closing.enter_context(socket.socket(socket.AF_UNIX))
            other.bind(f"{bound.path}.{number}")
        assert bound.connections() == ()


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not here")
def test_who_connects_from_a_sandbox_has_the_pid_that_it_has_outside(bound: Endpoint) -> None:
    words = ("bwrap", "--dev-bind", "/", "/", "--unshare-all", "--die-with-parent")
    with connecting(bound.path, 1, *words):
        assert wait_until(lambda: len(bound.connections()) == 1)
        (pid,) = bound.connections()
        assert SILENT.encode() in Path(f"/proc/{pid}/cmdline").read_bytes()
        assert Path(f"/proc/{pid}/ns/net").readlink() != Path("/proc/self/ns/net").readlink()


def test_whoever_only_connects_is_cut_off(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endpoint, "_HANDSHAKE_MS", 1000)
    bound = Endpoint(place)
    with socket.socket(socket.AF_UNIX) as silent, socket.socket(socket.AF_UNIX) as half:
        silent.connect(place)
        half.connect(place)
        half.sendall(b"\xff\0\0\0")
        assert wait_until(lambda: len(bound.connections()) == 2)
        assert wait_until(lambda: bound.connections() == ())
    bound.close()


def test_no_more_is_accepted_than_is_taken_note_of(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(endpoint, "_HANDSHAKE_MS", 600_000)  # a slow machine must cut nobody off
    bound = Endpoint(place)
    most = descriptors() + MOST_UNSEEN + 2  # its process has two pipes
    with connecting(place, 1500, waits=False):
        assert wait_until(lambda: descriptors() >= most)
        time.sleep(0.2)  # more would come
        assert descriptors() == most
        assert wait_until(lambda: len(bound.connections()) > MOST_UNSEEN), "it goes on"
    bound.close()


def test_an_endpoint_that_accepts_no_more_can_be_closed(place: str) -> None:
    before = descriptors()
    bound = Endpoint(place)
    with connecting(place, 1500, waits=False):
        assert wait_until(lambda: descriptors() >= before + MOST_UNSEEN)
        bound.close()
        assert wait_until(lambda: descriptors() < before + 10)


def test_a_message_without_an_end_is_seen_and_its_memory_comes_back(
    bound: Endpoint, tmp_path: Path
) -> None:
    quiet = Endpoint(str(tmp_path / "quiet"))
    endpoint.give_memory_back()
    memory = endpoint.own_memory_bytes()
    with ExitStack() as closing:
        player = dealer(closing, quiet.path)
        for _ in range(2000):  # who plays much takes time, but next to no memory
            player.send(b"x" * 20_000)
            assert quiet.socket.poll(30_000)
            assert quiet.receive()
        flooder = closing.enter_context(greet(bound.path))
        for _ in range(2500):
            flooder.sendall(PART)
        assert wait_until(lambda: bound.touched_bytes() > 60 * MB)
        assert wait_until(lambda: endpoint.own_memory_bytes() > memory + 60 * MB)
        assert bound.receive() is None, "it is not finished"
        assert quiet.touched_bytes() < 10 * MB
    bound.close()
    quiet.close()
    endpoint.give_memory_back()
    assert endpoint.own_memory_bytes() < memory + 50 * MB, "a third of what was sent"


def test_a_part_that_is_too_long_ends_its_connection(bound: Endpoint) -> None:
    with greet(bound.path) as other:
        other.sendall(b"\x02" + struct.pack(">Q", 1 << 40))
        while other.recv(1000):
            pass
    assert bound.receive() is None


def test_what_is_sent_at_a_stretch_arrives(bound: Endpoint) -> None:
    with ExitStack() as closing:
        peer = dealer(closing, bound.path)
        peer.send(b"")
        identity, _ = received(bound)
        for number in range(100):
            bound.send(identity, b"%d" % number)
        assert [peer.recv() for _ in range(100)] == [b"%d" % number for number in range(100)]


def test_nothing_can_be_seen_where_there_is_no_proc(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: str) -> list[str]:
        raise FileNotFoundError(path)

    monkeypatch.setattr(os, "listdir", refuse)
    monkeypatch.setattr(endpoint, "_read", refuse)
    monkeypatch.setattr(endpoint, "_SO_PEERCRED", None)
    bound = Endpoint(place)
    assert (bound.touched_bytes(), endpoint.own_memory_bytes()) == (0, 0)
    with greet(place):
        assert wait_until(lambda: bound.connections() == (0,)), "that there is one is known"
    bound.close()
