"""A job in a time that a test holds: the loop, peers, seats and tables are real.

What is held is what they wait for: the clock, sockets, processes. Time passes while the loop waits,
by a nanosecond whenever the clock is read, and where a test says that something takes its time.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from heapq import heappop, heappush
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import zmq

from arena import rules
from arena.runtime.executor import Job, JobResult
from arena.runtime.job import Ending
from arena.runtime.loop import JobLoop
from arena.runtime.page import marks_on
from arena.runtime.process import OutputTail
from arena.runtime.tree import Load

MS = 1_000_000
_MOST_POLLS = 20_000
_WAKING_UP_MS = 5
Ready = Callable[[], bool]


class World:
    """The time and what is to come in it; `bots` are by the names of their versions."""

    def __init__(self, **bots: HeldBot) -> None:
        self.now_ns = 0
        self.bots = bots
        self.endpoints: dict[str, HeldEndpoint] = {}
        self.is_ready: dict[object, Ready] = {}
        self.announces_ends = True
        self.shows_suspensions = True
        self.suspended_ns = 0
        self.polls = 0
        self.sockets_sleep_until_ns = 0
        self.sleeps = 0
        self.processes = 0
        """So many were started."""
        self.in_turn: dict[str, bool] = {}
        """What the worker knows of bots."""
        self.placed: list[tuple[float, bool]] = []
        """When processes were put somewhere, and whether on one core."""
        self.looks_ms: list[float] = []
        """When a process was looked at."""
        self._numbers = count()
        self._coming: list[tuple[int, int, Callable[[], None]]] = []

    def number(self) -> int:
        return next(self._numbers)

    def read_clock(self) -> int:
        self.now_ns += 1
        return self.now_ns

    def sleep(self, seconds: float) -> None:
        self.sleeps += 1
        self.wait(seconds * 1e3)

    def stop_arena(self, wait_ms: float, length_ms: float) -> None:
        """Let the loop stand still after some time, while all others go on.

        The threads of its sockets stand still too, and need a moment to go on.
        """

        def stop() -> None:
            self.sockets_sleep_until_ns = self.now_ns + int((length_ms + _WAKING_UP_MS) * MS)
            self.wait(length_ms)

        self.after(wait_ms, stop)

    def stop_all(self, wait_ms: float, length_ms: float) -> None:
        """Let nothing happen for a while, after some time."""

        def stop() -> None:
            self.now_ns += int(length_ms * MS)
            self._coming = [(at + int(length_ms * MS), n, act) for at, n, act in self._coming]

        self.after(wait_ms, stop)

    def suspend(self, wait_ms: float, length_ms: float) -> None:
        """Suspend the machine for a while, after some time: no other clock shows that."""

        def suspend() -> None:
            self.suspended_ns += int(length_ms * MS)

        self.after(wait_ms, suspend)

    def after(self, wait_ms: float, action: Callable[[], None]) -> None:
        heappush(self._coming, (self.now_ns + int(wait_ms * MS), self.number(), action))

    def wait(self, most_ms: float | None = None, until: Ready = lambda: False) -> None:
        """Let time pass until something is so, but not longer than this."""
        end_ns = None if most_ms is None else self.now_ns + int(most_ms * MS)
        while not until() and self._coming and (end_ns is None or self._coming[0][0] <= end_ns):
            at_ns, _, action = heappop(self._coming)
            self.now_ns = max(self.now_ns, at_ns)
            action()
        if end_ns is not None and not until():
            self.now_ns = max(self.now_ns, end_ns)

    def play(
        self,
        job: Job,
        folder: Path,
        monkeypatch: pytest.MonkeyPatch,
        control: HeldControl | None = None,
    ) -> JobResult:
        loop = "arena.runtime.loop"
        time = SimpleNamespace(monotonic_ns=self.read_clock, sleep=self.sleep)
        if self.shows_suspensions:
            time.CLOCK_BOOTTIME = 0
            time.clock_gettime_ns = lambda _: self.now_ns + self.suspended_ns
        monkeypatch.setattr(f"{loop}.time", time)
        monkeypatch.setattr(f"{loop}.zmq", SimpleNamespace(Poller=self.poller, POLLIN=zmq.POLLIN))
        selectors = SimpleNamespace(DefaultSelector=lambda: HeldSelector(self), EVENT_READ=1)
        monkeypatch.setattr(f"{loop}.selectors", selectors)
        monkeypatch.setattr("arena.runtime.peer.Endpoint", self.bind)
        monkeypatch.setattr("arena.runtime.confining.resolved", lambda argv, *_: list(argv))
        monkeypatch.setattr("arena.runtime.confining.BotProcess", self.start)
        known = rules.load(job.variant, job.options)
        with marks_on(None, len(job.games), len(job.bots)) as marks:
            return JobLoop(
                job,
                known,
                folder,
                control=control,
                place=self.place,
                marks=marks,
                in_turn=self.in_turn,
            ).run()

    def place(self, pids: Sequence[int], *, together: bool) -> None:  # noqa: ARG002
        """Take note of where processes are put; they stay on no core."""
        self.placed.append((self.now_ns / MS, together))

    def poller(self) -> HeldPoller:
        return HeldPoller(self)

    def bind(self, path: str) -> HeldEndpoint:
        endpoint = self.endpoints[f"ipc://{path}"] = HeldEndpoint(path)
        self.is_ready[endpoint] = endpoint.has_frames
        return endpoint

    def start(
        self, argv: Sequence[str], *, environment: dict[str, str], **_: object
    ) -> HeldProcess:
        self.processes += 1
        socket = self.endpoints[environment["ARENA_ENDPOINT"]]
        return HeldProcess(self, socket, self.bots[argv[0]], environment["ARENA_TOKEN"])


class HeldControl:
    """Says when a test wants it how the job shall end."""

    def __init__(self, world: World) -> None:
        self.requests: deque[Ending | None] = deque()
        self._number = world.number()
        world.is_ready[self] = lambda: bool(self.requests)

    def fileno(self) -> int:
        return self._number

    def request(self) -> Ending | None:
        return self.requests.popleft()


class HeldPoller:
    """Waits for sockets and for one selector."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._watched: list[Any] = []

    def register(self, what: HeldEndpoint | HeldSelector, _: int) -> None:
        self._watched.append(what)

    def poll(self, timeout_ms: int) -> list[tuple[object, int]]:
        self._world.polls += 1
        assert self._world.polls < _MOST_POLLS, "the job does not end"
        self._world.wait(timeout_ms, lambda: bool(self._ready()))
        found = self._ready()
        return [(one.fileno() if isinstance(one, HeldSelector) else one, 1) for one in found]

    def _ready(self) -> list[Any]:
        return [what for what in self._watched if self._world.is_ready[what]()]


class HeldSelector:
    """Waits for what is rarely ready."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._number = world.number()
        self._watched: dict[object, Callable[[], bool]] = {}
        world.is_ready[self] = lambda: bool(self._ready())

    def fileno(self) -> int:
        return self._number

    def register(self, what: object, _: int, data: Callable[[], bool]) -> None:
        self._watched[what] = data

    def unregister(self, what: object) -> None:
        del self._watched[what]

    def select(self, timeout_s: float) -> list[tuple[SimpleNamespace, int]]:
        self._world.wait(timeout_s * 1e3, lambda: bool(self._ready()))
        return [(SimpleNamespace(fileobj=one, data=self._watched[one]), 1) for one in self._ready()]

    def close(self) -> None:
        self._watched = {}

    def _ready(self) -> list[object]:
        return [one for one in self._watched if self._world.is_ready[one]()]


class HeldEndpoint:
    """The arena's end; what is sent goes to the process at once."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.socket = self
        self.frames: deque[bytes] = deque()
        self.process: HeldProcess | None = None

    def has_frames(self) -> bool:
        return bool(self.frames)

    def receive(self) -> tuple[bytes, list[bytes]] | None:
        return (b"bot", [self.frames.popleft()]) if self.frames else None

    def send(self, _: bytes, frame: bytes) -> None:
        if self.process is not None and not self.process.has_ended():
            self.process.bot.hear(self.process, json.loads(frame))

    def close(self) -> None:
        self.process = None

    def has_news(self) -> bool:
        return True

    def connections(self) -> tuple[int, ...]:
        return () if self.process is None else (self.process.pid,)


class HeldProcess:
    """A process of a bot: it says hello at once, and what it says arrives even if it has ended."""

    def __init__(self, world: World, socket: HeldEndpoint, bot: HeldBot, token: str) -> None:
        self.pid, self.output_fd, self._exit_fd = (world.number() for _ in range(3))
        self.exit_fd = self._exit_fd if world.announces_ends else None
        self.output = OutputTail()
        self.world, self.socket, self.bot = world, socket, bot
        self._how = ""
        socket.process = self
        world.is_ready[self.output_fd] = lambda: False
        world.is_ready[self._exit_fd] = self.has_ended
        self.say(1, {"type": "hello", "token": token, "protocol": 1, "max_tables": 64})

    def say(self, wait_ms: float, *messages: dict[str, Any]) -> None:
        self.world.after(wait_ms, lambda: self._arrive(json.dumps(messages).encode()))

    def _arrive(self, frame: bytes) -> None:
        left_ns = self.world.sockets_sleep_until_ns - self.world.now_ns
        if left_ns > 0:
            self.world.after(left_ns / MS, lambda: self._arrive(frame))
        elif self.socket.process is self:
            self.socket.frames.append(frame)

    def end(self, wait_ms: float, how: str) -> None:
        self.world.after(wait_ms, lambda: self._end(how))

    def _end(self, how: str) -> None:
        self._how = self._how or how

    def has_ended(self) -> bool:
        return bool(self._how)

    def how_it_ended(self) -> str:
        return self._how

    def drain(self) -> bool:
        return True

    def pids(self) -> list[int]:
        return [self.pid]

    def look(self, _: Iterable[int]) -> Load:
        self.world.looks_ms.append(self.world.now_ns / MS)
        return Load(0, 0, 1)

    def waited_us(self) -> int:
        return 0

    def cpu_us(self) -> int:
        return 0

    def computed_us(self) -> int:
        return 0

    def proportional_memory(self) -> int:
        return 0

    def kill(self) -> None:
        self.end(self.bot.dying_ms, "killed by SIGKILL")

    def bury(self) -> None:
        self.world.wait(until=self.has_ended)


Misdeed = Callable[[HeldProcess, list[dict[str, Any]]], None]


class HeldBot:
    """Takes `think_ms` for each frame; instead of its answers to one decision it does `misdeed`."""

    def __init__(
        self,
        think_ms: float = 1,
        misdeed: Misdeed | None = None,
        at: tuple[int, int] = (0, 0),
        *,
        once: bool = True,
        dying_ms: float = 0,
    ) -> None:
        self.think_ms = think_ms
        self.thought_ms = 0.0
        """For all its answers together."""
        self.thinks_about: list[int] = []
        """The games of its last frame."""
        self.before_misdeed: Callable[[], None] = lambda: None
        self.dying_ms = dying_ms
        """How long its killed process is still there."""
        self._misdeed = misdeed
        self._at = at
        self._once = once
        self._games: dict[tuple[HeldProcess, int], int] = {}

    def hear(self, process: HeldProcess, messages: list[dict[str, Any]]) -> None:
        answers, is_bad = [], False
        self.thinks_about = []
        for message in messages:
            match message["type"]:
                case "welcome":
                    process.say(1)
                case "bye":
                    process.end(1, "exited 0")
                case "game_start":
                    self._games[process, message["table"]] = message["bot_seed"]
                case "decide":
                    table, seq = message["table"], message["seq"]
                    self.thinks_about.append(self._games[process, table])
                    is_bad |= (self._games[process, table], seq) == self._at
                    action = message["legal"][0]
                    answers.append({"type": "act", "table": table, "seq": seq, "action": action})
        if is_bad and self._misdeed is not None:
            misdeed, self._misdeed = self._misdeed, None if self._once else self._misdeed
            self.before_misdeed()
            misdeed(process, answers)
        elif answers:
            self.thought_ms += self.think_ms
            process.say(self.think_ms, *answers)
