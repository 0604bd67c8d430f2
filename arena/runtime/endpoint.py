"""Where one bot process is listened to: a ROUTER in a context of its own, and what hangs on it.

libzmq's limits do not bound memory: they count whole messages, and a message may never end. So it
can be told here which endpoint takes in most, and who is connected to it; watch.py says what is
too much.
"""

from __future__ import annotations

import ctypes
import os
import socket
import struct
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import zmq

from arena.errors import SurroundingsError
from arena.text import refusal

_LARGEST_PART_BYTES = 2 * 1024 * 1024
"""Far above what the codec allows, so that a long answer is not mistaken for a crash."""
_FRAMES_IN_QUEUE = 8
"""More than one is a misdeed."""
_HANDSHAKE_MS = 5_000
"""Whoever connects and says nothing is cut off after this; libzmq itself needs no time for it."""
_MORE_TO_COME = int(zmq.NOBLOCK | zmq.SNDMORE)
_NEWS = "inproc://news"
_NEWS_OF_ACCEPTED = struct.Struct("=Hi")
"""What kind of event it is, and the descriptor of the connection."""
_CREDENTIALS = struct.Struct("3i")
"""Of the process at the other end: pid, user, group."""
_SO_PEERCRED = getattr(socket, "SO_PEERCRED", None)
_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
_FAULTS = 7
"""Where, after the name, Linux shows for a thread how many pages it was the first to touch."""


class Endpoint:
    """One bound endpoint; whoever has it looks at its connections now and then."""

    def __init__(self, path: str) -> None:
        """Listen at a path that does not exist yet; raises `SurroundingsError` if that fails."""
        before = _threads()
        context = zmq.Context()
        try:
            self.socket: zmq.Socket[bytes] = context.socket(zmq.ROUTER)
            self.socket.setsockopt(zmq.MAXMSGSIZE, _LARGEST_PART_BYTES)
            self.socket.setsockopt(zmq.RCVHWM, _FRAMES_IN_QUEUE)
            self.socket.setsockopt(zmq.HANDSHAKE_IVL, _HANDSHAKE_MS)
            self.socket.setsockopt(zmq.LINGER, 0)
            self._news = _news_of(self.socket)
            self.socket.bind(f"ipc://{path}")
        except zmq.ZMQError as error:
            context.destroy(linger=0)
            refused = OSError(error.errno, error.strerror)
            raise SurroundingsError(f"no socket for a bot: {refusal(refused)}") from error
        self.path = path
        self._threads = _threads() - before
        self._connections: dict[int, int] = {}
        """By descriptor, the pids at the other ends when it was last looked."""

    def receive(self) -> tuple[bytes, list[bytes]] | None:
        """Return (identity of the sender, parts) of a message that has come, or None."""
        try:
            identity = self.socket.recv(zmq.NOBLOCK)
        except zmq.Again:
            return None
        parts = [self.socket.recv()]
        while self.socket.getsockopt(zmq.RCVMORE):
            parts.append(self.socket.recv())
        return identity, parts

    def send(self, identity: bytes, frame: bytes) -> None:
        """Send a frame to a peer; one that does not take it in any more gets nothing."""
        with suppress(zmq.Again):
            self.socket.send(identity, _MORE_TO_COME)
            self.socket.send(frame, zmq.NOBLOCK)

    def close(self) -> None:
        """Forget what has come and was not received, and every connection."""
        self.socket.context.destroy(linger=0)

    def has_news(self) -> bool:
        """Whether somebody has connected since it was last asked who is connected."""
        events = self._news.getsockopt(zmq.EVENTS)
        assert isinstance(events, int)  # noqa: S101 - that option is a number
        return bool(events & zmq.POLLIN)

    def connections(self) -> tuple[int, ...]:
        """Return the pids at the other ends of all connections; 0 where the system tells none.

        A pid is that of who connected, in any namespace, as this process sees it.
        """
        self._connections |= dict.fromkeys(self._accepted(), 0)
        found = {one: self._connected(one) for one in self._connections}
        self._connections = {one: pid for one, pid in found.items() if pid is not None}
        return tuple(self._connections.values())

    def _accepted(self) -> Iterator[int]:
        """Yield the descriptors of connections that were accepted since this was last asked."""
        while self.has_news():
            event, _ = self._news.recv_multipart(zmq.NOBLOCK)
            yield _NEWS_OF_ACCEPTED.unpack(event)[1]

    def _connected(self, descriptor: int) -> int | None:
        """Return who is connected through a descriptor; None if it is something else by now."""
        with suppress(OSError), _borrowed(descriptor) as one:
            if one.getsockname() == self.path:
                return _pid_behind(one)
        return None

    def touched_bytes(self) -> int:
        """Return how much memory was first used by taking in what is sent here; 0 if unknown.

        Messages that do not end need ever more; what is received and forgotten needs next to none,
        however much it is. CPU time would not do: who sends slowly takes less than who plays.
        """
        pages = 0
        for thread in self._threads:
            with suppress(OSError):
                shown = _read(f"/proc/self/task/{thread}/stat")
                pages += int(shown.rpartition(b")")[2].split()[_FAULTS])
        return pages * _PAGE_BYTES


def _news_of(listener: zmq.Socket[bytes]) -> zmq.Socket[bytes]:
    """Return a socket that tells of each connection that a listener accepts.

    If 1,001 are not taken note of, the thread that accepts waits. It must not accept without end:
    libzmq ends the process when there are no descriptors left.
    """
    listener.monitor(_NEWS, zmq.EVENT_ACCEPTED)
    news: zmq.Socket[bytes] = listener.context.socket(zmq.PAIR)
    news.setsockopt(zmq.RCVHWM, 1)  # beside the 1,000 of the other end, which are fixed
    news.connect(_NEWS)
    return news


@contextmanager
def _borrowed(descriptor: int) -> Iterator[socket.socket]:
    """Yield a socket that belongs to libzmq, which may have closed it by now."""
    one = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, fileno=descriptor)
    try:
        yield one
    finally:
        one.detach()


def _pid_behind(one: socket.socket) -> int:
    if _SO_PEERCRED is None:
        return 0
    raw = one.getsockopt(socket.SOL_SOCKET, _SO_PEERCRED, _CREDENTIALS.size)
    pid, _, _ = _CREDENTIALS.unpack(raw)
    return int(pid)


def _threads() -> set[str]:
    """Return the threads of this process, where the system shows them."""
    try:
        return set(os.listdir("/proc/self/task"))  # noqa: PTH208 - names will do
    except OSError:
        return set()


def own_memory_bytes() -> int:
    """Return the memory of this very process; 0 if unknown."""
    with suppress(OSError):
        return int(_read("/proc/self/statm").split()[1]) * _PAGE_BYTES
    return 0


def give_memory_back() -> None:
    """Return to the system what is not used any more, where its library for memory can do that."""
    with suppress(AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


def _read(path: str) -> bytes:
    with open(path, "rb", buffering=0) as file:  # noqa: PTH123 - it is often done
        return file.read()
