"""Where one bot process is listened to: a ROUTER in a context of its own, and what hangs on it.

libzmq's limits do not bound memory: they count whole messages, and a message may never end. So it
can be told here which endpoint keeps its thread busy, and who is connected to it; watch.py says
what is too much.
"""

from __future__ import annotations

import os
import socket
import stat
import struct
from collections import defaultdict
from collections.abc import Mapping
from contextlib import suppress

import zmq

from arena.errors import SurroundingsError
from arena.text import refusal

_LARGEST_PART_BYTES = 2 * 1024 * 1024
"""Far above what the codec allows, so that a long answer is not mistaken for a crash."""
_FRAMES_IN_QUEUE = 8
"""More than one is a misdeed."""
_HANDSHAKE_MS = 5_000
"""Whoever connects and says nothing is cut off after this; libzmq itself needs no time for it."""
_CREDENTIALS = struct.Struct("3i")
"""Of the process at the other end: pid, user, group."""
_SO_PEERCRED = getattr(socket, "SO_PEERCRED", None)


class Endpoint:
    """One bound endpoint."""

    def __init__(self, path: str) -> None:
        """Listen at a path that does not exist yet; raises `SurroundingsError` if that fails."""
        before = _threads()
        context = zmq.Context()
        try:
            self.socket: zmq.Socket[bytes] = context.socket(zmq.ROUTER)
            self.socket.setsockopt(zmq.MAXMSGSIZE, _LARGEST_PART_BYTES)
            self.socket.setsockopt(zmq.RCVHWM, _FRAMES_IN_QUEUE)
            self.socket.setsockopt(zmq.SNDHWM, _FRAMES_IN_QUEUE)
            self.socket.setsockopt(zmq.HANDSHAKE_IVL, _HANDSHAKE_MS)
            self.socket.setsockopt(zmq.LINGER, 0)
            self.socket.bind(f"ipc://{path}")
        except zmq.ZMQError as error:
            context.destroy(linger=0)
            refused = OSError(error.errno, error.strerror)
            raise SurroundingsError(f"no socket for a bot: {refusal(refused)}") from error
        self.path = path
        self._threads = _threads() - before

    def receive(self) -> tuple[bytes, list[bytes]] | None:
        """Return (identity of the sender, parts) of a message that has come, or None."""
        try:
            identity, *parts = self.socket.recv_multipart(zmq.NOBLOCK)
        except zmq.Again:
            return None
        return identity, parts

    def send(self, identity: bytes, frame: bytes) -> None:
        """Send a frame to a peer; one that does not take it in any more gets nothing."""
        with suppress(zmq.Again):
            self.socket.send_multipart((identity, frame), zmq.NOBLOCK)

    def close(self) -> None:
        """Forget what has come and was not received, and every connection."""
        self.socket.context.destroy(linger=0)

    def busy_us(self) -> int:
        """Return the CPU time that was spent on taking in what is sent here; 0 if unknown."""
        total_ns = 0
        for thread in self._threads:
            with suppress(OSError, IndexError, ValueError):
                path = f"/proc/self/task/{thread}/schedstat"
                with open(path, "rb", buffering=0) as file:  # noqa: PTH123 - it is often done
                    total_ns += int(file.read().split()[0])
        return total_ns // 1000


def _threads() -> set[str]:
    """Return the threads of this process, where the system shows them."""
    try:
        return set(os.listdir("/proc/self/task"))  # noqa: PTH208 - names will do
    except OSError:
        return set()


def own_memory_bytes() -> int:
    """Return the memory of this very process; 0 if unknown."""
    with suppress(OSError), open("/proc/self/statm", "rb", buffering=0) as file:  # noqa: PTH123
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0


def open_descriptors() -> int:
    """Return how many descriptors this process has open; 0 if unknown."""
    try:
        return len(os.listdir("/proc/self/fd"))  # noqa: PTH208 - only their number
    except OSError:
        return 0


def connections() -> Mapping[str, list[int]]:
    """Return by path of an endpoint of this process the pids at the other ends of connections.

    A pid is that of whoever connected, in any namespace, as this process sees it.
    """
    found: dict[str, list[int]] = defaultdict(list)
    if _SO_PEERCRED is not None and os.path.isdir("/proc/self/fd"):  # noqa: PTH112
        for name in os.listdir("/proc/self/fd"):  # noqa: PTH208 - names will do
            with suppress(OSError):
                path, pid = _accepted(int(name))
                if path:
                    found[path].append(pid)
    return found


def _accepted(descriptor: int) -> tuple[str, int]:
    """Return (path, pid) of a connection that an endpoint accepted, else an empty path."""
    if not stat.S_ISSOCK(os.fstat(descriptor).st_mode):
        return "", 0
    with socket.socket(fileno=os.dup(descriptor)) as one:
        if one.family != socket.AF_UNIX or one.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
            return "", 0
        path = one.getsockname()
        raw = one.getsockopt(socket.SOL_SOCKET, _SO_PEERCRED or 0, _CREDENTIALS.size)
    return (path if isinstance(path, str) else ""), _CREDENTIALS.unpack(raw)[0]
