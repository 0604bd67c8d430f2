"""What libzmq lets in at an endpoint is seen: who is connected, how much hangs there."""

from __future__ import annotations

import os
import socket
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
import zmq
from processes import wait_until

from arena.errors import SurroundingsError
from arena.runtime import endpoint
from arena.runtime.endpoint import Endpoint

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only there it can be seen")

MB = 1_000_000
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
    before = endpoint.open_descriptors()
    words = [sys.executable, "-c", SILENT, bound.path, str(number)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        other.stdout.readline()
        pids = [other.pid] * number
        assert wait_until(lambda: endpoint.connections().get(bound.path) == pids)
        assert endpoint.open_descriptors() >= before + number
        other.communicate(b"\n")
    assert wait_until(lambda: bound.path not in endpoint.connections())


def test_whoever_only_connects_is_cut_off(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endpoint, "_HANDSHAKE_MS", 100)
    bound = Endpoint(place)
    with socket.socket(socket.AF_UNIX) as silent, socket.socket(socket.AF_UNIX) as half:
        silent.connect(place)
        half.connect(place)
        half.sendall(b"\xff\0\0\0")
        assert wait_until(lambda: len(endpoint.connections().get(place, [])) == 2)
        assert wait_until(lambda: place not in endpoint.connections())
    bound.close()


def test_a_message_without_an_end_shows_in_memory_and_in_its_endpoints_thread(
    bound: Endpoint, tmp_path: Path
) -> None:
    quiet = Endpoint(str(tmp_path / "quiet"))
    memory, busy_us = endpoint.own_memory_bytes(), bound.busy_us()
    part = b"\x03" + struct.pack(">Q", MB) + b"x" * MB  # more is to follow, always
    with greet(bound.path) as flooder:
        for _ in range(40):
            flooder.sendall(part)
        assert wait_until(lambda: endpoint.own_memory_bytes() > memory + 39 * MB)
        assert bound.receive() is None, "it is not finished"
        assert bound.busy_us() - busy_us > 10 * (quiet.busy_us() + 1)
    bound.close()
    quiet.close()
    assert wait_until(lambda: endpoint.own_memory_bytes() < memory + 20 * MB)


def test_a_part_that_is_too_long_ends_its_connection(bound: Endpoint) -> None:
    with greet(bound.path) as other:
        other.sendall(b"\x02" + struct.pack(">Q", 1 << 40))
        while other.recv(1000):
            pass
    assert bound.receive() is None


def test_nothing_can_be_seen_where_there_is_no_proc(
    bound: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: str) -> list[str]:
        raise FileNotFoundError(path)

    monkeypatch.setattr(os, "listdir", refuse)
    assert endpoint.open_descriptors() == 0
    assert endpoint._threads() == set()
