"""Keeps what bots send to a worker, and how they connect to it, within bounds.

What may live here: looking. What is too much, and whose doing it is, says watch.py.
"""

from __future__ import annotations

from collections.abc import Sequence

from arena.referee.fault import Fault
from arena.runtime.endpoint import Endpoint, give_memory_back, own_memory_bytes
from arena.runtime.peer import Peer
from arena.runtime.watch import crowds, flooder, too_many_connections, unfinished_messages


class Guard:
    """Looks after the endpoints of a job's bots."""

    def __init__(self, peers: Sequence[Peer]) -> None:
        """Begin with a worker that nobody has burdened yet; `peers` by seat."""
        self._peers = peers
        self._memory_bytes = own_memory_bytes()
        self._seen: dict[str, tuple[int, ...]] = {}
        """By path of the endpoint, who was connected when there were news last."""

    def look(self) -> list[tuple[int, Fault]]:
        """Return (seat, what its bot has done) of those who went too far, each once."""
        endpoints = self._endpoints()
        if any(endpoint.has_news() for endpoint in endpoints):
            self._seen = {endpoint.path: endpoint.connections() for endpoint in endpoints}
            if sum(map(len, self._seen.values())) > len(endpoints):
                crowded = self._crowds()
                if crowded:
                    return crowded
        return self._memory()

    def _endpoints(self) -> list[Endpoint]:
        return [peer.endpoint for peer in self._peers if peer.endpoint]

    def _crowds(self) -> list[tuple[int, Fault]]:
        numbers = crowds(self._seen, self._seats(), self._owners())
        faults = [(seat, too_many_connections(number)) for seat, number in sorted(numbers.items())]
        return [(seat, fault) for seat, fault in faults if fault is not None]

    def _memory(self) -> list[tuple[int, Fault]]:
        if unfinished_messages(own_memory_bytes() - self._memory_bytes) is None:
            return []
        give_memory_back()  # it may be left of what has gone
        growth = own_memory_bytes() - self._memory_bytes
        fault = unfinished_messages(growth)
        if fault is None:
            return []
        endpoints = self._endpoints()
        touched = {endpoint.path: endpoint.touched_bytes() for endpoint in endpoints}
        self._seen = {endpoint.path: endpoint.connections() for endpoint in endpoints}
        seat = flooder(growth, touched, self._seen, self._seats(), self._owners())
        if seat is None:
            self._memory_bytes += growth  # it is the worker's own
            return []
        return [(seat, fault)]

    def _seats(self) -> dict[str, int]:
        """Return whose endpoint a path is."""
        return {peer.endpoint.path: n for n, peer in enumerate(self._peers) if peer.endpoint}

    def _owners(self) -> dict[int, int]:
        """Return whose process a pid is."""
        return {
            pid: number
            for number, peer in enumerate(self._peers)
            if peer.process is not None and peer.is_alive
            for pid in peer.process.pids()
        }
