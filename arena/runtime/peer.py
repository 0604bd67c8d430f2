"""One bot of a job, over its successive processes: socket, link and process held together.

What may live here: starting and ending a process, sending and receiving its frames, its present
deadline. What may not: games and who pays for what (seat.py), the protocol (link.py), what its
processes take (conduct.py).
"""

from __future__ import annotations

import secrets
from collections import deque
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import msgspec

from arena.logs import append_log
from arena.protocol.messages import Act, Decide, Fail
from arena.referee.fault import Fault
from arena.runtime.conduct import Conduct
from arena.runtime.confining import confined_process
from arena.runtime.endpoint import Endpoint
from arena.runtime.isolation import Isolation
from arena.runtime.job import BotSpec
from arena.runtime.link import Answers, BotLink, Ready
from arena.runtime.process import BotProcess, CannotRunError, OutputTail
from arena.runtime.watch import out_of_memory, says_it_lacked_memory

_NS_PER_MS = 1_000_000
_LAST_WORDS_MS = 50
"""How long a dead process's last frame may still be on its way."""

Asked = tuple[Decide[Any], ...]
Clock = Callable[[], int]
"""Monotonic nanoseconds; only the loop hands out a real one."""


class Replies(msgspec.Struct, frozen=True):
    """Answers to all decisions of a frame."""

    answers: tuple[Act | Fail, ...]
    elapsed_us: int
    """Wall time charged for each of them."""


class Lost(msgspec.Struct, frozen=True):
    """The process is of no more use; it has been killed."""

    fault: Fault
    asked: Asked
    """The decisions it owed an answer to."""


PeerEvent = Ready | Replies | Lost


class Peer:
    """A bot in a job. Each `start` gives it a fresh process and a fresh link."""

    def __init__(
        self,
        spec: BotSpec,
        seat: int,
        folder: Path,
        *,
        log: Path | None,
        isolation: Isolation,
        may_ponder: bool = True,
        was_in_turn: bool | None = None,
    ) -> None:
        """Keep endpoints and the bot's homes in `folder`, a short path; its output goes to `log`.

        It is to be in a private folder of its own (folders.py), which others may then go through.
        No two peers of a worker that live at the same time have the same `seat`. A bot that may
        not ponder stands still while nothing is asked of it. `was_in_turn` is what is known of the
        bot from other jobs (`Conduct`).
        """
        self.spec = spec
        self.lost_output = ""
        """Why its output could not be kept."""
        self.max_tables = 1
        """What its last process wanted: so many games may be open, so the next must bear them."""
        self.deadline_ns: int | None = None
        """When the arena stops waiting, on the monotonic clock."""
        self.process: BotProcess | None = None
        self.endpoint: Endpoint | None = None
        self.link = self._new_link("")
        self.starts = 0
        self.conduct = Conduct(spec.limits, was_in_turn=was_in_turn)
        self._seat = seat
        self._folder = folder
        self._log = log
        self._isolation = isolation
        self._may_ponder = may_ponder
        self._stands_still = False
        self._has_died = False
        """Whether the last words of a process that has ended are waited for."""
        self._dead: deque[BotProcess] = deque()
        """Killed processes that may still be there."""
        self._identity = b""
        self.asked: Asked = ()
        """The decisions that were sent and are not answered."""
        self._sent_ns = 0
        self._last_us = 0
        """What it took for each decision of the last frame that it answered."""

    def _new_link(self, token: str) -> BotLink:
        return BotLink(token=token, bot=self.spec.name, params=self.spec.params)

    # its life

    @property
    def is_alive(self) -> bool:
        """Whether there is a process that may still be spoken to."""
        return self.endpoint is not None

    def has_ended(self) -> bool:
        """Whether the process has ended by itself, or was closed."""
        return self.process is None or self.process.has_ended()

    def start(self, now_ns: int) -> Lost | None:
        """Begin a fresh process behind a fresh endpoint; Lost if the bot cannot even be run.

        Raises `SurroundingsError` if the machine gives no process or no socket.
        """
        self.starts += 1
        self._bury(wait=False)
        token = secrets.token_hex(16)
        self.link = self._new_link(token)
        self._identity = b""
        self._stands_still = False
        self.conduct.begin_anew()
        self.deadline_ns = now_ns + self.spec.limits.start_ms * _NS_PER_MS
        home, endpoint = self._folder / f"home{self.starts}", self._folder / str(self.starts)
        home.mkdir(parents=True)
        self.endpoint = Endpoint(str(endpoint))
        try:
            self.process = self._new_process(home, endpoint, token)
        except CannotRunError as error:
            return self.lose(Fault("no_start", str(error)))
        return None

    def _new_process(self, home: Path, endpoint: Path, token: str) -> BotProcess:
        return confined_process(
            self.spec,
            self._isolation,
            self._folder.parent,
            seat=self._seat,
            start=self.starts,
            endpoint=endpoint,
            home=home,
            token=token,
        )

    def look_after(
        self, now_ns: int, present_ns: int, adopted: Iterable[int], *, shares_a_core: bool
    ) -> Lost | None:
        """Look at what its processes take (`Conduct.look`); Lost if that is too much.

        The first time is one that never stands still, the second is that of the games.
        """
        if self.process is None or self._has_died or not self.is_alive:
            self.conduct.forget_blame()
            return None
        fault = self.conduct.look(
            self.process,
            adopted,
            now_ns // 1000,
            asked_us=self._asked_us(present_ns) if self.asked else None,
            is_starting=self.link.phase in {"hello", "loading"},
            shares_a_core=shares_a_core,
        )
        return None if fault is None else self.lose(fault)

    def _asked_us(self, now_ns: int) -> int:
        """Return for how long the present answer has been waited for."""
        return max(0, now_ns - self._sent_ns) // 1000

    def us_a_decision(self, now_ns: int) -> int:
        """Return what a decision took in its last frame, or takes in the present one if more."""
        under_way_us = self._asked_us(now_ns) // len(self.asked) if self.asked else 0
        return max(self._last_us, under_way_us)

    @property
    def roots(self) -> set[int]:
        """The pids of its processes that it started itself and has not buried."""
        present = () if self.process is None else (self.process,)
        return {process.pid for process in (*present, *self._dead)}

    def take_cpu_us(self) -> int:
        """Return the CPU time of the bot since this was last asked, or since it was ready."""
        return self.conduct.take_cpu_us(self.process)

    def lose(self, fault: Fault) -> Lost:
        """Kill the process; what it owed goes with the fault.

        Whatever a process does before it is ready, it has failed to start.
        """
        if self.link.phase in {"hello", "loading"}:
            fault = msgspec.structs.replace(fault, kind="no_start")
        asked = self.asked
        self._kill()
        if not fault.got and self.process is not None and fault.kind in {"no_start", "crash"}:
            fault = self._told_by_output(fault, self.process.output.last_lines())
        return Lost(fault, asked)

    def _told_by_output(self, fault: Fault, last_lines: str) -> Fault:
        """Add what the process printed last to a fault; it may be that it lacked memory."""
        if fault.kind == "crash" and says_it_lacked_memory(last_lines):
            fault = out_of_memory(self.spec.limits)
        return msgspec.structs.replace(fault, got=last_lines)

    def _kill(self) -> None:
        """End process and endpoint without waiting: other bots' clocks are running."""
        self.deadline_ns = None
        self._has_died = False
        self.asked = ()
        self.link.phase = "closed"
        if self.process is not None:
            self.process.kill()
        if self.endpoint is not None:
            self.endpoint.close()
            self.endpoint = None

    def close(self) -> None:
        """Kill the process and close the endpoint; nothing of either is left."""
        self._kill()
        self._bury(wait=True)

    def _bury(self, *, wait: bool) -> None:
        """Forget killed processes that have gone, or wait for all to go, in their order."""
        if self.process is not None:
            self._dead.append(self.process)
            self.process = None
        while self._dead and (wait or self._dead[0].has_ended()):
            process = self._dead.popleft()
            process.bury()
            self._keep(process.output)

    def _keep(self, output: OutputTail) -> None:
        """Log what a process printed. No game hangs on a log."""
        if self._log is not None:
            try:
                append_log(self._log, output.text())
            except OSError as error:
                self.lost_output = f"{self._log}: {error.strerror}"

    def dismiss(self, reason: str) -> None:
        """Send the farewell; the caller gives the process a moment, then closes."""
        self._let_go_on()
        if self._identity:
            self._send(self.link.bye(reason))
        self.deadline_ns = None

    # its frames

    def flush(self, clock_ns: Clock) -> None:
        """Send the next frame if it is the arena's turn; the time runs from just before."""
        turn = None if self._has_died else self.link.next_frame()
        if turn is None:
            if not self._may_ponder:
                self._let_stand_still()
            return
        frame, asked = turn
        self._let_go_on()
        if self.process is not None:
            self.conduct.begin_turn(self.process, clock_ns)
        self._sent_ns = clock_ns()
        self.asked = asked
        self.deadline_ns = self._sent_ns + self._frame_limit_ms() * _NS_PER_MS
        self._send(frame)

    def _let_stand_still(self) -> None:
        """Suspend a bot that waits to be asked."""
        is_idle = self.link.phase == "idle" and not self._stands_still
        if is_idle and self.process is not None:
            self.process.suspend()
            self._stands_still = True

    def _let_go_on(self) -> None:
        if self._stands_still and self.process is not None:
            self.process.resume()
            self._stands_still = False

    def _frame_limit_ms(self) -> int:
        """Return how long the whole frame may take: one move limit at most, and the grace."""
        limits = self.spec.limits
        if self.asked[0].budget_ms >= limits.move_ms:
            return limits.move_ms + limits.grace_ms
        longest_ms = max([decide.budget_ms for decide in self.asked]) * len(self.asked)
        return min(limits.move_ms, longest_ms) + limits.grace_ms

    def receive(self, now_ns: int) -> PeerEvent | None:
        """Take in a frame that had come by `now_ns`; None if nothing follows from it.

        One at a time, so that a peer that sends without end cannot hold up the games.
        """
        received = None if self.endpoint is None else self.endpoint.receive()
        return None if received is None else self._take(*received, now_ns)

    def _take(self, identity: bytes, parts: list[bytes], now_ns: int) -> PeerEvent | None:
        if not self._identity:
            return self._greet(identity, parts[0]) if len(parts) == 1 else None
        if identity != self._identity:
            return None  # a foreign peer: neither heard nor held against the bot
        if self.deadline_ns is not None and now_ns > self.deadline_ns:
            return self.expire()
        if len(parts) != 1:
            return self.lose(Fault("malformed", "a frame must be one message part"))
        heard = self.link.receive(parts[0])
        return self._replies(heard, now_ns) if isinstance(heard, Answers) else self._follow(heard)

    def _follow(self, heard: Ready | Fault | None) -> Ready | Lost | None:
        match heard:
            case Fault():
                return self.lose(heard)
            case Ready():
                self._rest()
                self.take_cpu_us()  # starting is not charged to a game
        return heard

    def _greet(self, identity: bytes, frame: bytes) -> Lost | None:
        greeting = self.link.greets(frame)
        if isinstance(greeting, Fault):
            return self.lose(greeting)
        if greeting == "ours":
            if self.link.max_tables < self.max_tables:
                was = f"max_tables was {self.max_tables}, is now {self.link.max_tables}"
                return self.lose(Fault("no_start", was))
            self.max_tables = self.link.max_tables
            self._identity = identity
            self._send(self.link.welcome())
        return None

    def _replies(self, heard: Answers, now_ns: int) -> Replies:
        decisions, self.asked = len(self.asked), ()
        self._rest()
        asked_us = self._asked_us(now_ns)
        self._last_us = asked_us // decisions
        if self.process is not None:
            self.conduct.end_turn(self.process, now_ns // 1000, asked_us)
        return Replies(heard.answers, self._last_us)

    def _rest(self) -> None:
        """Wait for nothing more; but a death that was seen is still to be told."""
        if not self._has_died:
            self.deadline_ns = None

    def _send(self, frame: bytes) -> None:
        if self.endpoint is not None:
            self.endpoint.send(self._identity, frame)

    # its failures

    def expire(self) -> Lost:
        """Give up waiting: the deadline has passed."""
        if self._has_died:
            return self.lose(self._cause_of_death())
        if self.asked:
            return self.lose(Fault("timeout", f"no answer in {self.spec.limits.move_ms} ms"))
        waited_for = "hello" if self.link.phase == "hello" else "ready frame []"
        return self.lose(
            Fault("no_start", f"no {waited_for} within {self.spec.limits.start_ms} ms")
        )

    def mourn(self, now_ns: int) -> None:
        """Take note that the process has ended; what it said before may still be on its way.

        Nobody waits here, because other bots' clocks are running: the deadline comes for it.
        """
        if not self._has_died and self.is_alive:
            self._has_died = True
            self.deadline_ns = now_ns + _LAST_WORDS_MS * _NS_PER_MS

    def _cause_of_death(self) -> Fault:
        assert self.process is not None  # noqa: S101 - it has died
        how = self.process.how_it_ended()
        if self.link.phase in {"hello", "loading"}:
            until = "hello" if self.link.phase == "hello" else "it was ready"
            hint = "; it may lack the call of run() at its end" if how == "exited 0" else ""
            return Fault("no_start", f"{how} before {until}{hint}")
        if self.asked:
            return Fault("crash", f"{how} at decision {self.asked[0].seq}")
        return Fault("crash", f"{how} between its decisions")
