"""The protocol with one bot process: handshake, strict turns, batching. Bytes in, bytes out.

What may live here: what may be said when, and what a frame holds. What may not: sockets,
processes, clocks, rules, points. A link lives as long as its process; its successor is a new link.
"""

from __future__ import annotations

import hmac
from typing import Any, Literal, TypeGuard

import msgspec

import arena
from arena.protocol.codec import Malformed, decode_answers, decode_hello, encode
from arena.protocol.messages import (
    MAX_TABLES,
    PROTOCOL_VERSION,
    Act,
    ArenaMessage,
    Bye,
    Decide,
    Fail,
    GameEnd,
    GameStart,
    Hello,
    Welcome,
)
from arena.referee.fault import Fault

MAX_STRAYS = 16
"""Repeated answers and hellos that one process may send."""

Phase = Literal["hello", "loading", "idle", "thinking", "closed"]


class Answers(msgspec.Struct, frozen=True):
    """A frame that answers every decision of the last one."""

    answers: tuple[Act | Fail, ...]
    """In the order of the decisions."""


class Ready(msgspec.Struct, frozen=True):
    """The handshake is done; decisions may be sent."""


class BotLink:
    """One bot process at the far end of one socket."""

    def __init__(self, *, token: str, bot: str, params: dict[str, Any]) -> None:
        """Wait for the hello that carries `token`."""
        self.phase: Phase = "hello"
        self.max_tables = 1
        self._token = token
        self._bot = bot
        self._params = params
        self._tables = 0
        self._strays = 0
        self._notices: list[ArenaMessage] = []
        self._waiting: list[Decide[Any]] = []
        self._open: tuple[Decide[Any], ...] = ()
        """The decisions of the last frame, until they are answered."""
        self._answered: dict[int, int] = {}
        """By table, the last `seq` that was answered."""
        self._one_by_one = 0

    # what the arena says

    def open_table(self) -> int:
        """Return the number of a new table."""
        self._tables += 1
        return self._tables - 1

    def tell(self, message: GameStart | GameEnd) -> None:
        """Put a notice before the next decision."""
        self._notices.append(message)

    def ask(self, decide: Decide[Any]) -> None:
        """Queue a decision; it goes out with the next frame."""
        self._waiting.append(decide)

    @property
    def ready(self) -> int:
        """How many decisions could go out now."""
        return len(self._waiting) if self.phase == "idle" else 0

    def ask_one_by_one(self, decisions: int) -> None:
        """Let each of the next `decisions` have a frame of its own."""
        self._one_by_one = decisions

    def next_frame(self) -> tuple[bytes, tuple[Decide[Any], ...]] | None:
        """Return the next frame and its decisions, or None if it is not the arena's turn."""
        if self.phase != "idle" or not self._waiting:
            return None
        size = 1 if self._one_by_one else len(self._waiting)
        self._one_by_one = max(0, self._one_by_one - 1)
        asked, self._waiting = tuple(self._waiting[:size]), self._waiting[size:]
        frame = encode([*self._notices, *asked] if self._notices else asked)
        self._notices = []
        self._open = asked
        self.phase = "thinking"
        return frame, asked

    def welcome(self) -> bytes:
        """Return the frame that answers a valid hello."""
        return encode([Welcome(PROTOCOL_VERSION, arena.__version__, self._bot, self._params)])

    def bye(self, reason: str) -> bytes:
        """Return the last frame: what was not told yet, and the farewell."""
        self.phase = "closed"
        return encode([*self._notices, Bye(reason)])

    # what the bot says

    def greets(self, frame: bytes) -> Literal["ours", "foreign"] | Fault:
        """Judge a frame that came while no process is bound: whether it is our bot's hello.

        A frame without the token may come from anybody, so it is never held against the bot.
        """
        hello = decode_hello(frame)
        if isinstance(hello, Malformed):
            if self._token.encode() not in frame:
                return "foreign"
            return Fault("no_start", f"malformed hello: {hello.detail}", hello.got)
        if not hmac.compare_digest(hello.token.encode(), self._token.encode()):
            return "foreign"
        if hello.protocol != PROTOCOL_VERSION:
            text = f"protocol version {PROTOCOL_VERSION} expected, the bot speaks {hello.protocol}"
            return Fault("no_start", text)
        self.max_tables = min(hello.max_tables, MAX_TABLES)
        self.phase = "loading"
        return "ours"

    def receive(self, frame: bytes) -> Ready | Answers | Fault | None:
        """Take a frame of the bound process; None if nothing new follows from it."""
        messages = decode_answers(frame, len(self._open))
        if self.phase == "loading":
            return self._finish_loading(messages)
        if isinstance(messages, Malformed):
            return Fault("malformed", messages.detail, messages.got)
        if self.phase == "thinking" and self._are_in_order(messages):
            return self._answer(tuple(messages))
        return self._sort_out(messages)

    def _are_in_order(self, messages: list[Act | Fail | Hello]) -> TypeGuard[list[Act | Fail]]:
        """Whether they are just the answers that are owed, one by one as they were asked for."""
        if len(messages) != len(self._open):
            return False
        answered = self._answered
        for one, decide in zip(messages, self._open, strict=True):
            if isinstance(one, Hello) or one.table != decide.table or one.seq != decide.seq:
                return False
            answered[decide.table] = decide.seq
        return True

    def _answer(self, answers: tuple[Act | Fail, ...]) -> Answers:
        """Take the answers to all open decisions, in their order."""
        self._open = ()
        self.phase = "idle"
        return Answers(answers)

    def _sort_out(self, messages: list[Act | Fail | Hello]) -> Answers | Fault | None:
        """Find the answers among repeated ones and hellos, in whatever order."""
        owed = {(decide.table, decide.seq): None for decide in self._open}
        fresh: dict[tuple[int, int], Act | Fail] = {}
        for one in messages:
            if isinstance(one, Hello):
                continue
            key = (one.table, one.seq)
            if key in owed:
                fresh.setdefault(key, one)
            elif self._answered.get(one.table, -1) < one.seq:
                return Fault("malformed", "an answer to a decision that was never asked", str(key))
        strays = len(messages) - len(fresh)
        if flood := self._count_strays(strays):
            return flood
        if strays and not fresh:
            return None
        if self.phase != "thinking" or len(fresh) < len(owed):
            return Fault("malformed", "exactly one answer for each decision expected", "too few")
        self._answered.update(owed.keys())
        return self._answer(tuple(fresh[key] for key in owed))

    def _finish_loading(
        self, messages: list[Act | Fail | Hello] | Malformed
    ) -> Ready | Fault | None:
        if isinstance(messages, Malformed):
            text = f"an empty frame [] expected when ready: {messages.detail}"
            return Fault("no_start", text, messages.got)
        if not messages:
            self.phase = "idle"
            return Ready()
        if all(isinstance(one, Hello) for one in messages):
            return self._count_strays(len(messages))
        return Fault("no_start", "an empty frame [] expected when ready, not an answer")

    def _count_strays(self, strays: int) -> Fault | None:
        self._strays += strays
        if self._strays <= MAX_STRAYS:
            return None
        return Fault("flood", f"more than {MAX_STRAYS} repeated answers or hellos")
