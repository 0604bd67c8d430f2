"""The protocol's other end: an author writes one method or one function, the rest is here.

What may live here: the conversation with the arena, and what an author's mistake costs. What may
not: anything that the arena itself needs; nothing of the arena imports this package.
"""

from __future__ import annotations

import os
import random
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from types import FunctionType
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
from arena.rules.euchre import View
from arena.sdk.dice import Dice
from arena.sdk.mistakes import place_of, require_parameters

_LONGEST_ACTION = 64
_LONGEST_DETAIL = 500
"""So that a `Fail` stays below the bytes allowed for an answer, whatever its characters."""
_ORPHAN_CHECK_MS = 1000
"""How often a bot that is not asked anything looks whether the arena still lives."""
_PARENT = os.getppid()
"""The process that started this one; taken at once, it may be gone before a model is loaded."""

_PREPARE = "prepare in begin(), not in __init__"

Choose = Callable[[View, tuple[str, ...]], str]


class _Turn(msgspec.Struct):
    """What belongs to the decision under way."""

    decide: Decide[Any]
    dice: Dice
    seeded_for: Decide[Any] | None = None
    """The decision whose dice these are; to seed them for one that does not roll is wasted."""
    note: str | None = None


class Bot:
    """A bot at one table: one instance a game, so that no game leaks into another.

    Write `choose`; write `begin` to prepare a game and `end` to look back at one. A fresh instance
    may be given a game in mid-course, so whatever `choose` needs should come from its view. Load
    what all games share (a model, a table) where the module is imported: the start limit covers
    that, and no game is charged for it.
    """

    max_tables: ClassVar[int] = MAX_TABLES
    """Most games at once in one process; a bot that thinks for long sets it to 1."""

    def __init__(self, game: GameStart, params: dict[str, Any]) -> None:
        """Keep the game's seat, options and limits, and the bot's params of the config."""
        self.game = game
        self.params = params
        before_the_first = Decide(game.table, -1, (), game.limits.move_ms, None)
        self._arena = _Turn(before_the_first, Dice(0))

    def begin(self) -> None:
        """Prepare for the game; called once before its first decision."""

    def choose(self, view: View, legal: tuple[str, ...]) -> str:
        """Return one of `legal`; `view` is all that the seat may know (see bots/README.md)."""
        raise NotImplementedError

    def end(self, result: GameEnd) -> None:
        """Look back at the game; called once if the arena says how it ended."""

    @property
    def random(self) -> random.Random:
        """Dice seeded by (bot_seed, seq): a decision asked again rolls the same again."""
        turn = self._arena
        decide = turn.decide
        if turn.seeded_for is not decide:
            turn.seeded_for = decide
            turn.dice.seed(self.game.bot_seed << 32 | decide.seq + 1)  # 0: what `begin` rolls
        return turn.dice

    @property
    def budget_ms(self) -> int:
        """What this decision may take, in milliseconds of wall time."""
        return self._arena.decide.budget_ms

    def note(self, text: str) -> None:
        """Keep a remark of up to 200 characters beside this decision in the game record."""
        self._arena.note = _sendable(str(text), MAX_NOTE_LENGTH)


def run(bot: type[Bot] | Choose) -> None:
    """Play until the arena says bye. `bot` is a subclass of `Bot`, or a function of (view, legal).

    Call it last, when models are loaded: the arena's start limit covers all that comes before.
    Exits with 2, and says why, when `bot` is neither or is not written as it must be, and when it
    was not the arena that started this program.
    """
    try:
        kind = bot_class(bot)
    except TypeError as error:
        print(error, file=sys.stderr)  # noqa: T201 - this is for the author
        sys.exit(2)
    try:
        endpoint, token = os.environ["ARENA_ENDPOINT"], os.environ["ARENA_TOKEN"]
    except KeyError:
        print(  # noqa: T201 - this is for the person who started it by hand
            "This program is a bot: the arena starts it. Put its path under `bots:` in a config\n"
            "and run `arena tournament CONFIG`.",
            file=sys.stderr,
        )
        sys.exit(2)
    with zmq.Context() as context, context.socket(zmq.DEALER) as socket:
        socket.setsockopt(zmq.LINGER, 1000)
        socket.setsockopt(zmq.RCVTIMEO, _ORPHAN_CHECK_MS)
        socket.connect(endpoint)
        _Conversation(kind, socket).hold(token)


def bot_class(bot: type[Bot] | Choose) -> type[Bot]:
    """Return the class to make bots of; a function gets one made for it.

    Raises `TypeError`, whose text tells the author what to change, for what can be no bot.
    """
    if isinstance(bot, Bot):
        raise TypeError(f"give run the class, not an object of it: run({type(bot).__name__})")
    if isinstance(bot, type):
        _check_class(bot)
        return bot
    if not callable(bot):
        raise TypeError(f"run takes a subclass of Bot or a function of (view, legal), not {bot!r}")
    require_parameters(bot, getattr(bot, "__name__", "the function"), "view", "legal")
    choose = bot

    class FunctionBot(Bot):
        def choose(self, view: View, legal: tuple[str, ...]) -> str:
            return choose(view, legal)

    return FunctionBot


def _check_class(kind: type) -> None:
    name = kind.__name__
    if not issubclass(kind, Bot):
        raise TypeError(f"{name} is no subclass of Bot: write class {name}(Bot)")
    if kind.choose is Bot.choose:
        raise TypeError(f"{name} has no method choose(view, legal)")
    written = next(vars(one)["choose"] for one in kind.__mro__ if "choose" in vars(one))
    if isinstance(written, FunctionType):
        require_parameters(kind.choose, f"{name}.choose", "self", "view", "legal")
    try:
        require_parameters(kind.__init__, f"{name}.__init__", "self", "game", "params")
    except TypeError as error:
        raise TypeError(f"{error}; {_PREPARE}") from None


class _Conversation:
    """What one process and the arena say to each other, strictly in turns."""

    def __init__(self, kind: type[Bot], socket: zmq.Socket[bytes]) -> None:
        self._kind = kind
        self._socket = socket
        self._encode = msgspec.json.Encoder().encode
        self._decode = _frame_decoder(None).decode
        self._tables: dict[int, _Table] = {}
        self._params: dict[str, Any] = {}

    def hold(self, token: str) -> None:
        """Greet, say when ready, answer every frame, leave at the farewell."""
        tables = min(self._kind.max_tables, MAX_TABLES)
        self._socket.send(self._encode([Hello(token, PROTOCOL_VERSION, tables)]))
        messages = self._hear()
        while not isinstance(messages[-1], Bye):
            self._socket.send(self._encode(self._answers(messages)))
            messages = self._hear()
        self._answers(messages)

    def _hear(self) -> list[Any]:
        while True:
            try:
                return self._decode(self._socket.recv())
            except zmq.Again:
                if os.getppid() != _PARENT:
                    sys.exit("the arena is gone")

    def _answers(self, messages: list[Any]) -> list[Act | Fail]:
        answers = []
        for message in messages:
            match message:
                case Decide():
                    answers.append(self._tables[message.table].answer(message))
                case GameStart():
                    # All games of a process are of one variant: from now on views come decoded.
                    self._decode = _frame_decoder(message.variant).decode
                    self._tables[message.table] = _Table(self._kind, message, self._params)
                case GameEnd():
                    self._tables.pop(message.table).end(message)
                case Welcome():
                    self._params = message.params
        return answers


class _Table:
    """One game of an author's bot; an exception in the author's code costs this game only."""

    def __init__(self, kind: type[Bot], start: GameStart, params: dict[str, Any]) -> None:
        self._decode_view = _view_decoder(start.variant).decode
        self._bot: Bot | None = None
        self._failure = ""
        try:
            bot = kind(start, params)
            if not hasattr(bot, "_arena"):
                raise TypeError(f"{kind.__name__}.__init__ does not call Bot's; {_PREPARE}")  # noqa: TRY301
            self._bot = bot
            bot.begin()
        except MemoryError:  # nothing that follows could be trusted
            raise
        except Exception as error:  # noqa: BLE001 - whatever an author's code raises
            self._failure = _explained(error)

    def answer(self, decide: Decide[Any]) -> Act | Fail:
        view = decide.view
        if isinstance(view, msgspec.Raw):
            view = self._decode_view(view)
        if self._bot is not None and not self._failure:
            try:
                turn = self._bot._arena  # noqa: SLF001 - all in an author's bot that is ours
                turn.decide, turn.note = decide, None
                action = self._bot.choose(view, decide.legal)
                if type(action) is not str or action not in decide.legal:
                    action = _checked(action, decide.legal)
                return Act(decide.table, decide.seq, action, turn.note)
            except MemoryError:
                raise
            except Exception as error:  # noqa: BLE001
                self._failure = _explained(error)
        return Fail(decide.table, decide.seq, self._failure)

    def end(self, result: GameEnd) -> None:
        if self._bot is not None:
            try:
                self._bot.end(result)
            except MemoryError:
                raise
            except Exception as error:  # noqa: BLE001
                _explained(error)


def _checked(action: object, legal: tuple[str, ...]) -> str:
    """Return what the author's code chose, though not one of `legal`, as a string to send."""
    if not isinstance(action, str):
        raise TypeError(f"choose returned {action!r}, not one of {legal}")
    return _sendable(action, _LONGEST_ACTION)


def _sendable(text: str, longest: int) -> str:
    """Return `text` as a plain string (numpy has others) without half characters, cut."""
    return text.encode("utf-8", "replace").decode()[:longest]


def _explained(error: Exception) -> str:
    """Show an author's exception on stderr; return its last line, and where, for the arena."""
    with suppress(OSError, ValueError):  # the author may have closed stderr
        traceback.print_exception(error)
    reason = traceback.format_exception_only(error)[-1].strip()
    place = _sendable(place_of(error), _LONGEST_DETAIL)
    return _sendable(reason, _LONGEST_DETAIL - len(place)) + place


@cache
def _frame_decoder(variant: str | None) -> msgspec.json.Decoder[list[Any]]:
    """Return what decodes frames; views stay raw while the variant is not known."""
    view: Any = msgspec.Raw if variant is None else rules.load(variant).view_type
    return msgspec.json.Decoder(list[Welcome | GameStart | Decide[view] | GameEnd | Bye])


@cache
def _view_decoder(variant: str) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(rules.load(variant).view_type)
