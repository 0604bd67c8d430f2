"""One bot in the foreground of a terminal, asked one decision after the other, with all the time.

So its author can stop in it with a debugger: the process keeps the terminal, what it prints is
printed at once, and nobody's clock is running. What may live here: its start, its frames, its end.
What may not: games, and what is asked.
"""

from __future__ import annotations

import os
import secrets
import subprocess
import termios
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, Self

from arena.protocol.messages import Act, Decide, Fail, GameStart, WireLimits
from arena.referee.fault import Fault
from arena.rules.base import Rules
from arena.runtime.endpoint import Endpoint
from arena.runtime.folders import private_folder
from arena.runtime.isolation.environment import scrubbed_environment
from arena.runtime.job import BotSpec
from arena.runtime.link import Answers, BotLink, Ready
from arena.runtime.process import CannotRunError, resolved, signal_name

_LOOK_MS = 100
"""How often it is looked whether the process still lives, when it says nothing."""
_LAST_WORDS_MS = 50
"""How long a dead process's last frame may still be on its way."""
_FAREWELL_S = 5
"""How long a process may take to exit after the farewell."""
_OF_TERMINALS = ("TERM", "PYTHONBREAKPOINT")
"""What a debugger needs beside what bots are given."""
_STDERR = 2


class ForegroundBot:
    """A bot process without limits; a context manager at whose end it is gone.

    Not so what it started itself: of that its author has to see, as of any program.
    """

    def __init__(self, spec: BotSpec) -> None:
        """Prepare; the process begins with `start`."""
        self._spec = spec
        self._token = secrets.token_hex(16)
        self._link = BotLink(token=self._token, bot=spec.name, params=spec.params)
        self._identity = b""
        self._patience_s = _FAREWELL_S
        self._closing = ExitStack()

    def __enter__(self) -> Self:
        folder = self._closing.enter_context(private_folder())
        _keep_modes(self._closing)
        self._home, path = folder / "home", folder / "endpoint"
        self._home.mkdir()
        self._endpoint = Endpoint(str(path))
        self._closing.callback(self._endpoint.close)
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """End the process if it still is there; if something was raised, without a farewell."""
        self._patience_s = 0 if kind else _FAREWELL_S
        self._closing.close()

    def start(self) -> Fault | None:
        """Begin the process and wait until it is ready; the fault if it does not come to that."""
        spec = self._spec
        search = spec.env.get("PATH", os.environ.get("PATH"))
        try:
            self._process = subprocess.Popen(
                resolved(spec.argv, Path(spec.folder), search),
                cwd=spec.folder,
                env=self._environment(),
                stdout=_STDERR,
            )
        except (CannotRunError, OSError, ValueError) as error:
            return Fault("no_start", str(error))
        self._closing.callback(self._end)
        fault = self._greet()
        if fault is None:
            answers = self._answer()
            fault = answers if isinstance(answers, Fault) else None
        if fault is not None and fault.kind == "crash":
            return Fault("no_start", f"{fault.detail} before it was ready")
        return fault

    def _greet(self) -> Fault | None:
        """Wait for the hello and answer it."""
        while not self._identity:
            heard = self._hear()
            if isinstance(heard, Fault):
                return heard
            greeting = self._link.greets(heard[1])
            if isinstance(greeting, Fault):
                return greeting
            if greeting == "ours":
                self._identity = heard[0]
                self._endpoint.send(self._identity, self._link.welcome())
        return None

    def _environment(self) -> dict[str, str]:
        kept = {name: os.environ[name] for name in _OF_TERMINALS if name in os.environ}
        given = scrubbed_environment(
            endpoint=f"ipc://{self._endpoint.path}", token=self._token, home=str(self._home)
        )
        return given | kept | self._spec.env

    def begin(self, rules: Rules, seat: int, bot_seed: int) -> int:
        """Begin a game, maybe in mid-course; return the number of its table."""
        number, limits = self._link.open_table(), self._spec.limits
        wire = WireLimits(limits.move_ms, limits.game_ms)
        self._link.tell(GameStart(number, rules.name, rules.options, seat, wire, bot_seed))
        return number

    def ask(self, decide: Decide[Any]) -> Act | Fail | Fault:
        """Put a decision; a fault is the end."""
        self._link.ask(decide)
        frame = self._link.next_frame()
        assert frame is not None  # noqa: S101 - it is always our turn: every answer was waited for
        self._endpoint.send(self._identity, frame[0])
        answers = self._answer()
        return answers if isinstance(answers, Fault) else answers[0]

    def _answer(self) -> tuple[Act | Fail, ...] | Fault:
        """Wait for what it owes: the answers, or, none of them, that it is ready."""
        while True:
            heard = self._hear()
            if isinstance(heard, Fault):
                return heard
            if heard[0] != self._identity:
                continue
            match self._link.receive(heard[1]):
                case Fault() as fault:
                    return fault
                case Answers(answers):
                    return answers
                case Ready():
                    return ()

    def _hear(self) -> tuple[bytes, bytes] | Fault:
        """Wait for a message, or the end of the process; return the sender and the frame."""
        while True:
            received = self._endpoint.receive()
            if received is not None:
                identity, parts = received
                if len(parts) == 1:
                    return identity, parts[0]
                return Fault("malformed", "a frame must be one message part")
            code = self._process.poll()
            wait_ms = _LOOK_MS if code is None else _LAST_WORDS_MS
            if not self._endpoint.socket.poll(wait_ms) and code is not None:
                how = f"exited {code}" if code >= 0 else f"killed by {signal_name(-code)}"
                return Fault("crash", how)

    def _end(self) -> None:
        """Say farewell, and do not wait for long."""
        if self._identity:
            self._endpoint.send(self._identity, self._link.bye("finished"))
        try:
            self._process.wait(self._patience_s if self._identity else 0)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def _keep_modes(closing: ExitStack) -> None:
    """Let the terminal, if there is one, have at the end what modes it has now."""
    try:
        terminal = os.open(os.ctermid(), os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError:
        return
    closing.callback(os.close, terminal)
    closing.callback(_set_modes, terminal, termios.tcgetattr(terminal))


def _set_modes(terminal: int, modes: list[Any]) -> None:
    with suppress(OSError, termios.error):  # it has gone meanwhile
        if os.tcgetpgrp(terminal) == os.getpgrp():  # else it is another's, and would stop us
            termios.tcsetattr(terminal, termios.TCSANOW, modes)
