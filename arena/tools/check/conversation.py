"""What is said with one process of a bot under check: decisions in, answers out, tables by game."""

from __future__ import annotations

import time
from collections.abc import Sequence

import msgspec

from arena.protocol.messages import Decide, GameEnd
from arena.referee.fault import Fault
from arena.runtime.asking import Answer, AskedBot
from arena.tools.check.asked import Asked

_MOST_LOSSES = 3
"""So many processes may be lost in one check; then it is broken off."""


class Said(msgspec.Struct, frozen=True):
    """A decision and what was answered, right or wrong."""

    asked: Asked
    answer: Answer | Fault

    @property
    def is_right(self) -> bool:
        """Whether it is a legal action."""
        return isinstance(self.answer, Answer) and self.answer.action in self.asked.legal

    @property
    def action(self) -> str:
        """The action; empty for a fault."""
        return self.answer.action if isinstance(self.answer, Answer) else ""


class Conversation:
    """Speaks with a bot, whose process is replaced when it is lost."""

    def __init__(self, bot: AskedBot, move_ms: int) -> None:
        """Begin without a process."""
        self.bot = bot
        self.losses = 0
        """Processes lost since it began anew."""
        self._move_ms = move_ms
        self._tables: dict[str, int] = {}

    @property
    def is_hopeless(self) -> bool:
        """Whether so many processes were lost that it is no use to go on."""
        return self.losses >= _MOST_LOSSES

    def begin(self) -> Fault | None:
        """Start a fresh process; return why it is not ready."""
        self.losses = 0
        return self._start()

    def _start(self) -> Fault | None:
        self._tables = {}
        return self.bot.start()

    def ask(self, asked: Asked) -> Said:
        """Put one decision alone."""
        return self.ask_together([asked])[0]

    def ask_together(self, asked: Sequence[Asked]) -> list[Said]:
        """Put several decisions, of different games, in one frame.

        If the frame fails as a whole every decision has its fault.
        """
        if not self.bot.is_alive:
            fault = self._start()
            if fault is not None:
                self.losses = _MOST_LOSSES
                return [Said(one, fault) for one in asked]
        answers = self.bot.ask_together([self._decide(one) for one in asked])
        if isinstance(answers, Fault):
            self.losses += 1
            return [Said(one, answers) for one in asked]
        return [Said(one, answer) for one, answer in zip(asked, answers, strict=True)]

    def _decide(self, asked: Asked) -> Decide[msgspec.Struct]:
        if asked.game not in self._tables:
            number = self.bot.begin(asked.rules, asked.seat, asked.bot_seed)
            self._tables[asked.game] = number
        table = self._tables[asked.game]
        return Decide(table, asked.seq, asked.legal, self._move_ms, asked.view)

    def end(self, game: str, points: tuple[int, ...] = (0, 0)) -> None:
        """Tell, with the next decision, that a game is over; what is not known is not told."""
        table = self._tables.pop(game, None)
        winner = points.index(max(points)) if max(points) else None
        if table is not None and self.bot.is_alive:
            self.bot.end(
                GameEnd(table, points, winner, "void" if winner is None else "played", None)
            )


class Until:
    """When something is to be broken off."""

    def __init__(self, seconds: float) -> None:
        """Begin to count."""
        self._end = time.monotonic() + seconds

    @property
    def is_over(self) -> bool:
        """Whether the time is up."""
        return time.monotonic() > self._end
