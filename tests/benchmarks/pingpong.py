"""R: the bytes of one decision and its answer as raw ZeroMQ ping-pong, both ends on one core."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager

import zmq

_REQUEST = bytes(260)
_REPLY = bytes(50)
_ECHO = f"""
import sys, zmq
socket = zmq.Context().socket(zmq.DEALER)
socket.connect(sys.argv[1])
socket.send(b"hello")
while socket.recv():
    socket.send(bytes({len(_REPLY)}))
"""


def ping_pong(exchanges: int) -> float:
    """Return exchanges per second with one outstanding at a time."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})  # the child inherits it
    try:
        with _echo() as (socket, identity):
            began_s = time.perf_counter()
            for _ in range(exchanges):
                socket.send_multipart((identity, _REQUEST))
                socket.recv_multipart()
            return exchanges / (time.perf_counter() - began_s)
    finally:
        os.sched_setaffinity(0, before)


def round_trips_us(exchanges: int) -> list[float]:
    """Return how long each exchange took, both ends on any core, as with one table."""
    with _echo() as (socket, identity):
        found = []
        for _ in range(exchanges):
            began_ns = time.perf_counter_ns()
            socket.send_multipart((identity, _REQUEST))
            socket.recv_multipart()
            found.append((time.perf_counter_ns() - began_ns) / 1000)
        return found


@contextmanager
def _echo() -> Iterator[tuple[zmq.Socket[bytes], bytes]]:
    """Yield a socket, and who answers at its other end."""
    with tempfile.TemporaryDirectory() as folder, zmq.Context() as context:
        socket = context.socket(zmq.ROUTER)
        endpoint = f"ipc://{folder}/raw"
        socket.bind(endpoint)
        child = subprocess.Popen([sys.executable, "-c", _ECHO, endpoint])
        identity, _ = socket.recv_multipart()
        yield socket, identity
        socket.send_multipart((identity, b""))
        socket.poll(100)
        socket.close(linger=0)
        child.wait()
