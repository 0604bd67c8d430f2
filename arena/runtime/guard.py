"""Keeps what bots send to a worker, and how they connect to it, within bounds.

What may live here: looking. What is too much, and whose doing it is, says watch.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from arena.referee.fault import Fault
from arena.runtime import endpoint
from arena.runtime.peer import Peer
from arena.runtime.watch import crowds, flooder, too_many_connections, unfinished_messages


class Guard:
    """Looks after the endpoints of a job's bots."""

    def __init__(self, peers: Sequence[Peer]) -> None:
        """Begin with a worker that nobody has burdened yet; `peers` by seat."""
        self._peers = peers
        self._memory_bytes = endpoint.own_memory_bytes()
        self._before = (0, 0)
        """How many starts there had been and descriptors were open at the last look."""
        self._busy_us = [0] * len(peers)

    def look(self) -> Iterator[tuple[int, Fault]]:
        """Yield (seat, what its bot has done) of those who went too far since the last look."""
        yield from self._connections()
        yield from self._memory()

    def _connections(self) -> Iterator[tuple[int, Fault]]:
        now = (sum(peer.starts for peer in self._peers), endpoint.open_descriptors())
        before, self._before = self._before, now
        if now[0] == before[0] and now[1] <= before[1]:  # nobody has connected, or as many went
            return
        seats = {peer.endpoint.path: n for n, peer in enumerate(self._peers) if peer.endpoint}
        found = endpoint.connections()
        if sum(map(len, found.values())) <= len(seats):
            return
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
        busy_us = [peer.endpoint.busy_us() if peer.endpoint else 0 for peer in self._peers]
        fault = unfinished_messages(endpoint.own_memory_bytes() - self._memory_bytes)
        if fault is not None:
            yield flooder(self._busy_us, busy_us), fault
            self._memory_bytes = max(self._memory_bytes, endpoint.own_memory_bytes())
        self._busy_us = busy_us
