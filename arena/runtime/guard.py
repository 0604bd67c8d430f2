"""Keeps what bots send to a worker, and how they connect to it, within bounds.

What may live here: looking. What is too much, and whose doing it is, says watch.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from arena.referee.fault import Fault
from arena.runtime.endpoint import give_memory_back, own_memory_bytes
from arena.runtime.peer import Peer
from arena.runtime.watch import crowds, flooder, too_many_connections, unfinished_messages


class Guard:
    """Looks after the endpoints of a job's bots."""

    def __init__(self, peers: Sequence[Peer]) -> None:
        """Begin with a worker that nobody has burdened yet; `peers` by seat."""
        self._peers = peers
        self._memory_bytes = own_memory_bytes()
        self._seen: dict[str, tuple[int, ...]] = {}
        """By path of the endpoint, who was connected at the last look."""

    def look(self) -> Iterator[tuple[int, Fault]]:
        """Yield (seat, what its bot has done) of those who went too far since the last look."""
        yield from self._connections()
        yield from self._memory()

    def _connections(self) -> Iterator[tuple[int, Fault]]:
        endpoints = [peer.endpoint for peer in self._peers if peer.endpoint]
        found = {endpoint.path: endpoint.connections() for endpoint in endpoints}
        before, self._seen = self._seen, found
        if found == before or sum(map(len, found.values())) <= len(endpoints):
            return
        seats = {peer.endpoint.path: n for n, peer in enumerate(self._peers) if peer.endpoint}
        owners = {
            pid: number
            for number, peer in enumerate(self._peers)
            if peer.process is not None
            for pid in peer.process.pids()
        }
        for seat, number in sorted(crowds(found, seats, owners).items()):
            fault = too_many_connections(number)
            if fault is not None:
                yield seat, fault

    def _memory(self) -> Iterator[tuple[int, Fault]]:
        fault = unfinished_messages(own_memory_bytes() - self._memory_bytes)
        if fault is None:
            return
        touched = [peer.endpoint.touched_bytes() if peer.endpoint else 0 for peer in self._peers]
        yield flooder(touched), fault
        give_memory_back()
        self._memory_bytes = max(self._memory_bytes, own_memory_bytes())
