"""One bot process that is asked one decision after the other, outside of any job.

For whoever wants a bot's answers without a tournament. What may live here: waiting for one bot,
with the limits, the isolation and the watching that it has in a job. What may not: points, what a
fault costs. The clock is the caller's, because of this layer only the loop of jobs reads one.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import msgspec
import zmq

from arena.protocol.messages import Act, Decide, Fail, GameEnd, GameStart, WireLimits
from arena.referee.fault import Fault
from arena.rules.base import Rules
from arena.runtime.folders import private_folder, remove_leftovers
from arena.runtime.guard import Guard
from arena.runtime.isolation import isolation
from arena.runtime.job import BotSpec
from arena.runtime.lateness import Lateness
from arena.runtime.lifeline import Caretaker
from arena.runtime.peer import Clock, Lost, Peer, PeerEvent, Replies
from arena.runtime.seat import given_up
from arena.runtime.tree import adopting, reap

_NS_PER_MS = 1_000_000
_HEARTBEAT_NS = 50 * _NS_PER_MS
"""How often it is looked at what the process takes."""
_SETTLING_MS = 20
"""How long an answer may still be on its way when the arena itself was late."""
_FAREWELL_NS = 500 * _NS_PER_MS


class Answer(msgspec.Struct, frozen=True):
    """What a bot answered to one decision."""

    action: str
    """Its own text: nobody has looked yet whether it is legal."""
    elapsed_us: int
    note: str | None = None


class AskedBot:
    """A bot that is asked; its process stands still while it is not, unless it may ponder.

    A process that is lost is not replaced before `start` is called again.
    """

    def __init__(
        self, peer: Peer, clock_ns: Clock, roots: Callable[[], Collection[int]] | None = None
    ) -> None:
        """Prepare; nothing is started. `asked_bots` gives them a home.

        `roots` are the first processes of all bots that are asked here, if it is not the only one.
        """
        self._peer = peer
        self._clock_ns = clock_ns
        self._roots = roots or (lambda: peer.roots)
        self._lateness = Lateness()
        self._guard = Guard([peer])
        self._next_look_ns = 0
        self._most_memory_bytes = 0

    @property
    def is_alive(self) -> bool:
        """Whether there is a process to ask."""
        return self._peer.is_alive

    @property
    def max_tables(self) -> int:
        """How many decisions may be asked in one frame, as its process has said."""
        return self._peer.link.max_tables

    @property
    def most_memory_bytes(self) -> int:
        """What its processes were seen to take together at most, now or before."""
        self._measure(reap(self._roots()))
        return self._most_memory_bytes

    @property
    def printed(self) -> str:
        """What its present process has printed, as far as it is kept."""
        if self._peer.process is None:
            return ""
        self._peer.process.drain()
        return self._peer.process.output.text()

    def start(self) -> Fault | None:
        """Begin a fresh process and wait until it is ready; return why it is not.

        Raises `SurroundingsError` if the machine gives no process or socket.
        """
        self._peer.close()
        lost = self._peer.start(self._now_ns())
        event = lost or self._next_event()
        return event.fault if isinstance(event, Lost) else None

    def begin(self, rules: Rules, seat: int, bot_seed: int) -> int:
        """Begin a game, maybe in mid-course; return the number of its table."""
        link, limits = self._peer.link, self._peer.spec.limits
        number = link.open_table()
        wire = WireLimits(limits.move_ms, limits.game_ms)
        link.tell(GameStart(number, rules.name, rules.options, seat, wire, bot_seed))
        return number

    def end(self, end: GameEnd) -> None:
        """Tell how a game ended, with the next decision or the farewell."""
        self._peer.link.tell(end)

    def ask(self, decide: Decide[Any]) -> Answer | Fault:
        """Wait for the answer to one decision; after most faults the process has gone."""
        answers = self.ask_together([decide])
        return answers if isinstance(answers, Fault) else answers[0]

    def ask_together(self, decides: Sequence[Decide[Any]]) -> list[Answer | Fault] | Fault:
        """Wait for the answers to decisions that are asked in one frame, in their order.

        A fault instead of them all is one of the frame; then the process has gone.
        """
        for decide in decides:
            self._peer.link.ask(decide)
        self._peer.flush(self._now_ns)
        match self._next_event():
            case Replies(answers=answers, elapsed_us=elapsed_us):
                self._peer.flush(self._now_ns)  # nothing is left to say: it stands still
                return [_told(answer, elapsed_us) for answer in answers]
            case Lost(fault=fault):
                return fault
            case event:
                raise AssertionError(event)

    def close(self) -> None:
        """Say farewell, give the process a moment to end by itself, and leave nothing of it."""
        self.leaves(_FAREWELL_NS)
        self._peer.close()

    def leaves(self, patience_ns: int) -> bool:
        """Say farewell; return whether the process ends by itself in that time."""
        self._peer.dismiss("finished")
        end_ns = self._now_ns() + patience_ns
        while self._peer.is_alive and not self._peer.has_ended() and self._now_ns() < end_ns:
            self._wait(min(end_ns, self._now_ns() + _HEARTBEAT_NS))
        return self._peer.has_ended()

    def vanish(self) -> None:
        """Be gone as far as the bot sees: its first process is killed, and nobody listens.

        For a bot whose first process is not the bot itself, but has started it.
        """
        if self._peer.process is not None and self._peer.endpoint is not None:
            os.kill(self._peer.process.pid, signal.SIGKILL)
            self._peer.endpoint.close()
            self._peer.endpoint = None

    def has_survivors(self) -> bool:
        """Whether processes of the bot are there whose first one has ended."""
        reap(self._roots())
        process = self._peer.process
        return process is not None and any(pid != process.pid for pid in process.pids())

    # waiting

    def _now_ns(self) -> int:
        """Read the clock, which stands still while the arena is late or the machine is asleep."""
        return self._clock_ns() - self._lateness.total_ns

    def _next_event(self) -> PeerEvent:
        """Wait for what comes next from the bot, be it its end or its deadline."""
        peer = self._peer
        while True:
            now_ns, deadline_ns = self._now_ns(), peer.deadline_ns
            due_ns = now_ns + _HEARTBEAT_NS
            due_ns = due_ns if deadline_ns is None else min(due_ns, max(now_ns, deadline_ns))
            came_ns = self._wait(due_ns)
            event = self._look(came_ns) or peer.receive(came_ns)
            if event is not None:
                return event
            if peer.has_ended():
                peer.mourn(came_ns)
            if peer.deadline_ns is not None and came_ns >= peer.deadline_ns:
                return peer.expire()

    def _wait(self, due_ns: int) -> int:
        """Wait until the bot says something, prints or ends, or it is `due_ns`; return when."""
        poller = self._poller()
        poller.poll(max(0, -((self._now_ns() - due_ns) // _NS_PER_MS)))
        if self._lateness.notice(self._now_ns(), due_ns):
            poller.poll(_SETTLING_MS)
        return min(self._now_ns(), due_ns)

    def _poller(self) -> zmq.Poller:
        """Return what waits for the present process; what is over would be ready for ever."""
        poller, peer = zmq.Poller(), self._peer
        if peer.endpoint is not None:
            poller.register(peer.endpoint.socket, zmq.POLLIN)
        process = peer.process
        if process is not None:
            if process.drain():
                poller.register(process.output_fd, zmq.POLLIN)
            if process.exit_fd is not None and not process.has_ended():
                poller.register(process.exit_fd, zmq.POLLIN)
        return poller

    def _look(self, now_ns: int) -> Lost | None:
        """See now and then that the bot does not take more than it may."""
        if now_ns < self._next_look_ns:
            return None
        self._next_look_ns = now_ns + _HEARTBEAT_NS
        adopted = reap(self._roots())
        lost = self._peer.look_after(self._clock_ns(), now_ns, adopted, shares_a_core=False)
        self._measure(adopted)
        faults = [] if lost else self._guard.look()
        return self._peer.lose(faults[0][1]) if faults else lost

    def _measure(self, adopted: list[int]) -> None:
        if self._peer.process is not None:
            memory_bytes = self._peer.process.look(adopted).memory_bytes
            self._most_memory_bytes = max(self._most_memory_bytes, memory_bytes)


def _told(answer: Act | Fail, elapsed_us: int) -> Answer | Fault:
    if isinstance(answer, Fail):
        return given_up(answer)
    return Answer(answer.action, elapsed_us, answer.note)


@contextmanager
def asked_bots(
    specs: Sequence[BotSpec],
    *,
    level: str,
    clock_ns: Clock,
    logs: Path | None = None,
    may_ponder: bool = False,
) -> Iterator[tuple[AskedBot, ...]]:
    """Yield bots to be asked at a level of isolation; at the end nothing is left of them.

    One that may not ponder stands still while it is not asked. What they print is kept in the
    folder `logs`, as ``<bot>.stderr.log``. Raises `SurroundingsError` if the level is not to be had
    here, `OSError` if there is no folder for it.
    """
    found = isolation(level)
    # Whoever started the arena may have ignored it, and then no bot's end could be seen.
    before = signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    with ExitStack() as closing:
        closing.callback(signal.signal, signal.SIGCHLD, before)
        closing.callback(Caretaker().dismiss)  # before anything is adopted, and it with it
        folder = closing.enter_context(private_folder())
        if "user" in found.protections:
            closing.callback(remove_leftovers, os.getpid())
        closing.enter_context(adopting())
        peers = [
            Peer(
                spec,
                place,
                folder / str(place),
                log=logs / f"{spec.name}.stderr.log" if logs else None,
                isolation=found,
                may_ponder=may_ponder,
            )
            for place, spec in enumerate(specs)
        ]
        bots = tuple(
            AskedBot(peer, clock_ns, lambda: {pid for one in peers for pid in one.roots})
            for peer in peers
        )
        for bot in bots:
            closing.callback(bot.close)
        yield bots
