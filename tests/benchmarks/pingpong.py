"""R: the bytes of one decision and its answer as raw ZeroMQ ping-pong, both ends on one core."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time

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
        with tempfile.TemporaryDirectory() as folder, zmq.Context() as context:
            socket = context.socket(zmq.ROUTER)
            endpoint = f"ipc://{folder}/raw"
            socket.bind(endpoint)
            child = subprocess.Popen([sys.executable, "-c", _ECHO, endpoint])
            rate = _exchange(socket, exchanges)
            socket.close(linger=0)
            child.wait()
            return rate
    finally:
        os.sched_setaffinity(0, before)


def _exchange(socket: zmq.Socket[bytes], exchanges: int) -> float:
    identity, _ = socket.recv_multipart()
    began_s = time.perf_counter()
    for _ in range(exchanges):
        socket.send_multipart((identity, _REQUEST))
        socket.recv_multipart()
    elapsed_s = time.perf_counter() - began_s
    socket.send_multipart((identity, b""))
    socket.poll(100)
    return exchanges / elapsed_s
