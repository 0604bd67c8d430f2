"""The bots of a game against a person: the opponent, and who gives hints."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from msgspec.structs import replace

from arena.errors import UserError
from arena.protocol.messages import Decide
from arena.referee.events import Ask, Inform
from arena.referee.fault import Fault
from arena.runtime.asking import Answer, AskedBot, asked_bots
from arena.runtime.folders import working_folder
from arena.runtime.job import BotSpec
from arena.runtime.table import game_end
from arena.tools.bots import bot_at
from arena.tools.play.course import Course, Reply
from arena.tools.play.saved import Saved


class Opponent:
    """A bot process and the game that it was told of; whatever is asked fits, also gone back."""

    def __init__(self, bot: AskedBot, spec: BotSpec, seat: int) -> None:
        """Prepare for games on `seat`; nothing is started before it is asked or `start`."""
        self.spec = spec
        self._bot = bot
        self._seat = seat
        self._course: Course | None = None
        self._table = 0

    def start(self) -> None:
        """Start the bot's process; raises `UserError` with the reason if it does not start."""
        fault = self._bot.start()
        if fault is not None:
            lines = [f"{self.spec.name} does not start: {fault.detail}", *fault.got.splitlines()]
            raise UserError("\n    ".join(lines))

    def choose(self, course: Course, asked: Ask) -> Reply | Fault:
        """Return what the bot does in place of the seat that is asked, or why it does not.

        A game that was gone back in is another one to it, handed over in mid-course.
        """
        if not self._bot.is_alive:
            self._course = None
            fault = self._bot.start()
            if fault is not None:
                return fault
        if course is not self._course:
            self._change_to(course)
        answer = self._bot.ask(
            Decide[Any](self._table, asked.seq, asked.legal, asked.budget_ms, asked.view)
        )
        if isinstance(answer, Answer):
            return Reply(answer.action, answer.elapsed_us, answer.note)
        return answer

    def _change_to(self, course: Course) -> None:
        """Break off the game that the bot knows, if it knows one, and begin another."""
        before, self._course = self._course, course
        if before is not None:
            self._bot.end(game_end(self._table, self._seat, Inform(before.points, None)))
        setup = course.setup
        self._table = self._bot.begin(setup.rules, self._seat, setup.bot_seed)

    def tell_end(self, course: Course) -> None:
        """Tell the bot how the game ended, if it knows it."""
        if course is self._course and course.end is not None and self._bot.is_alive:
            self._bot.end(game_end(self._table, self._seat, course.end))


class Adviser:
    """Another process that says what it would do in the person's place."""

    def __init__(self, opponent: Opponent) -> None:
        """Let `opponent` be asked, whose seat is the person's."""
        self._opponent = opponent

    @property
    def name(self) -> str:
        """What the bot is called."""
        return self._opponent.spec.name

    def advise(self, course: Course) -> Reply | Fault:
        """Return what it would do where the person is asked, with the bot's limit of time."""
        budget_ms = self._opponent.spec.limits.move_ms
        return self._opponent.choose(course, replace(course.due, budget_ms=budget_ms))


@contextmanager
def opponents(game: Saved, notice: Callable[[str], None]) -> Iterator[tuple[Opponent, Adviser]]:
    """Yield the bot of a game, and who gives hints to the person: it too, or another.

    At the end nothing is left of them. `notice` is told what is made for them. Raises `UserError`
    if there is no such bot, and what `Saved.conditions` raises.
    """
    limits, level = game.conditions()
    with ExitStack() as closing:
        folder = closing.enter_context(working_folder())

        def taken(bot: str) -> BotSpec:
            return bot_at(bot, folder, limits, level=level, notice=notice)

        spec = taken(game.bot)
        advising = taken(game.hints) if game.hints else spec
        processes = asked_bots([spec, advising], level=level, clock_ns=time.monotonic_ns)
        asked, adviser = closing.enter_context(processes)
        seat = game.seat
        yield Opponent(asked, spec, 1 - seat), Adviser(Opponent(adviser, advising, seat))
