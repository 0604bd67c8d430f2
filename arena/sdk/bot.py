"""The protocol's other end: an author writes one method or one function, the rest is here.

Nothing of the arena imports this package.
"""

from __future__ import annotations

import os
import random
import sys
import traceback
from collections.abc import Callable
from typing import Any, ClassVar

import msgspec
import zmq

from arena import rules
from arena.protocol.messages import (
    MAX_NOTE_LENGTH,
    MAX_TABLES,
    PROTOCOL_VERSION,
    Act,
    Bye,
    Decide,
    Fail,
    GameEnd,
    GameStart,
    Hello,
    Welcome,
)

_LONGEST_DETAIL = 1000
_ORPHAN_CHECK_MS = 5000
"""How often a bot that is not asked anything looks whether the arena still lives."""

Choose = Callable[[Any, tuple[str, ...]], str]


class Bot:
    """A bot at one table: one instance a game, so that no game leaks into another.

    Write `choose`; write `begin` to prepare a game and `end` to look back at one. A fresh instance
    may be given a game in mid-course, so whatever `choose` needs should come from its view.
    """

    max_tables: ClassVar[int] = MAX_TABLES
    """Most games at once in one process."""

    def __init__(self, game: GameStart, params: dict[str, Any]) -> None:
        """Keep the game's seat, options and limits, and the bot's params of the config."""
        self.game = game
        self.params = params
        self._note: str | None = None
        self._dice = random.Random()  # noqa: S311 - a bot's dice, not a secret
        self._seq = 0

    def begin(self) -> None:
        """Prepare for the game; called once before its first decision."""

    def choose(self, view: Any, legal: tuple[str, ...]) -> str:
        """Return one of `legal`; `view` is the variant's view (see bots/README.md)."""
        raise NotImplementedError

    def end(self, result: GameEnd) -> None:
        """Look back at the game; called once if the arena says how it ended."""

    @property
    def random(self) -> random.Random:
        """Dice seeded by (bot_seed, seq): the same decision always rolls the same."""
        self._dice.seed(self.game.bot_seed << 32 | self._seq)
        return self._dice

    def note(self, text: str) -> None:
        """Keep a remark of up to 200 characters beside this decision in the game record."""
        self._note = text[:MAX_NOTE_LENGTH]

    def answer(self, decide: Decide[Any]) -> Act | Fail:
        """Answer one decision; an exception in the author's code gives up this game only."""
        self._seq = decide.seq
        self._note = None
        try:
            action = self.choose(decide.view, decide.legal)
            if not isinstance(action, str):
                raise TypeError(f"choose returned {action!r}, not one of {decide.legal}")  # noqa: TRY301
        except Exception as error:  # noqa: BLE001 - whatever an author's code raises
            traceback.print_exc()
            reason = traceback.format_exception_only(error)[-1].strip()
            return Fail(decide.table, decide.seq, reason[:_LONGEST_DETAIL])
        return Act(decide.table, decide.seq, action, self._note)


def run(bot: type[Bot] | Choose) -> None:
    """Play until the arena says bye. `bot` is a subclass of `Bot`, or a function of (view, legal).

    Call it last, when models are loaded: the arena's start limit covers all that comes before.
    """
    kind = bot if isinstance(bot, type) else _bot_of(bot)
    try:
        endpoint, token = os.environ["ARENA_ENDPOINT"], os.environ["ARENA_TOKEN"]
    except KeyError:
        sys.exit("this is a bot for arena: put its path under `bots:` in a config and run that")
    with zmq.Context() as context, context.socket(zmq.DEALER) as socket:
        socket.setsockopt(zmq.LINGER, 1000)
        socket.setsockopt(zmq.RCVTIMEO, _ORPHAN_CHECK_MS)
        socket.connect(endpoint)
        _Session(kind, socket).play(token)


def _bot_of(choose: Choose) -> type[Bot]:
    """Make a bot of a plain function."""

    class FunctionBot(Bot):
        def choose(self, view: Any, legal: tuple[str, ...]) -> str:
            return choose(view, legal)

    return FunctionBot


class _Session:
    """One process's conversation with the arena."""

    def __init__(self, kind: type[Bot], socket: zmq.Socket[bytes]) -> None:
        self._kind = kind
        self._socket = socket
        self._encode = msgspec.json.Encoder().encode
        self._decode = msgspec.json.Decoder(
            list[Welcome | GameStart | Decide[msgspec.Raw] | GameEnd | Bye]
        ).decode
        self._views: dict[str, msgspec.json.Decoder[Any]] = {}
        self._tables: dict[int, tuple[Bot, msgspec.json.Decoder[Any]]] = {}
        self._params: dict[str, Any] = {}
        self._parent = os.getppid()

    def play(self, token: str) -> None:
        hello = Hello(token, PROTOCOL_VERSION, min(self._kind.max_tables, MAX_TABLES))
        self._socket.send(self._encode([hello]))
        welcome = self._hear()
        self._params = welcome[0].params if isinstance(welcome[0], Welcome) else {}
        self._socket.send(b"[]")
        while True:
            answers = []
            for message in self._hear():
                match message:
                    case Decide():
                        answers.append(self._answer(message))
                    case GameStart():
                        self._begin(message)
                    case GameEnd():
                        self._end(message)
                    case Bye():
                        return
            self._socket.send(self._encode(answers))

    def _hear(self) -> list[Any]:
        while True:
            try:
                return self._decode(self._socket.recv())
            except zmq.Again:
                if os.getppid() != self._parent:
                    sys.exit("the arena is gone")

    def _begin(self, start: GameStart) -> None:
        if start.variant not in self._views:
            view_type = rules.load(start.variant, start.options).view_type
            self._views[start.variant] = msgspec.json.Decoder(view_type)
        bot = self._kind(start, self._params)
        bot.begin()
        self._tables[start.table] = (bot, self._views[start.variant])

    def _answer(self, decide: Decide[msgspec.Raw]) -> Act | Fail:
        bot, decoder = self._tables[decide.table]
        view = decoder.decode(decide.view)
        return bot.answer(Decide(decide.table, decide.seq, decide.legal, decide.budget_ms, view))

    def _end(self, result: GameEnd) -> None:
        bot, _ = self._tables.pop(result.table)
        bot.end(result)
