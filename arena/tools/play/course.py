"""One game of a person against a bot, under a referee, which can be gone back in.

What may live here: who is asked what, and what was done. What may not: the bot's process, the
terminal, files.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, NamedTuple

import msgspec

from arena.errors import ArenaError, UserError
from arena.protocol.messages import MAX_NOTE_LENGTH
from arena.referee.clock import Limits
from arena.referee.events import (
    Ask,
    DeadlinePassed,
    Effect,
    Finished,
    GameStarted,
    Inform,
    Replied,
    SeatLost,
)
from arena.referee.fault import Fault
from arena.referee.record import GameId, GameRecord
from arena.referee.referee import Referee
from arena.report.words import YOU
from arena.rules.base import Rules, State
from arena.tournament import identity

_FOREVER_MS = 10**12
_NO_CLOCK = Limits(move_ms=_FOREVER_MS, game_ms=None)
_ANOTHER_YOU = "person"
"""What a person is called in the record of a game against a bot that is called you."""


class Setup(msgspec.Struct, frozen=True):
    """All that a game is determined by, but what is chosen in it."""

    rules: Rules
    bot: str
    """The bot's name."""
    seat: int
    """The person's."""
    seed: str
    """What all cards come from."""
    limits: Limits
    """The bot's; the person has no clock."""

    @property
    def names(self) -> tuple[str, ...]:
        """What the players are called, by seat."""
        return self._seated(YOU, self.bot)

    def _seated(self, person: str, bot: str) -> tuple[str, ...]:
        return (person, bot) if self.seat == 0 else (bot, person)

    @property
    def game(self) -> GameId:
        """The game's id, by which its record can be verified."""
        person = _ANOTHER_YOU if self.bot == YOU else YOU
        seats = self._seated(f"{person}@1", f"{self.bot}@1")
        match = tuple(sorted(seats))
        return GameId(match, 0, match.index(seats[0]))

    @property
    def board_seed(self) -> bytes:
        """What the cards come from: the seed alone, so that other bots can be given the same."""
        return self._seeds.board(0)

    @property
    def bot_seed(self) -> int:
        """What the bot's own dice begin with."""
        return self._seeds.bot(0, 0, 1 - self.seat)

    @property
    def _seeds(self) -> identity.Seeds:
        return identity.Seeds(identity.seed_secret(self.seed), ())


class Reply(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one of both chose."""

    action: str
    elapsed_us: Annotated[int, msgspec.Meta(ge=0)] = 0
    note: Annotated[str, msgspec.Meta(max_length=MAX_NOTE_LENGTH)] | None = None


class Happening(NamedTuple):
    """Something that was done, as the person may know it."""

    seat: int
    view: Any
    """What the seat that acted saw before."""
    action: str
    """A discard of the bot's is without its card."""
    deals: tuple[Mapping[str, Any], ...]
    """The deal that this has ended, as in a record, and those that are void after it."""


class Course:
    """A game from its first decision to where it is now."""

    def __init__(self, setup: Setup, replies: Sequence[Reply] = ()) -> None:
        """Play what was chosen so far; raises `UserError` if that does not follow the rules."""
        self.setup = setup
        self.asked: Ask | None = None
        """The decision that is open; None: the game is over."""
        self.record: GameRecord | None = None
        """Of the game, when it is over."""
        self.end: Inform | None = None
        """What both are told when it is over."""
        self.misdeed: tuple[Ask, str] | None = None
        """The decision at which the bot did what is not legal, and what that was."""
        self.replies: tuple[Reply, ...] = ()
        self.happenings: tuple[Happening, ...] = ()
        """One for each reply."""
        self._state: State = setup.rules.start(setup.board_seed)
        limits = (_NO_CLOCK, setup.limits) if setup.seat == 0 else (setup.limits, _NO_CLOCK)
        self._referee = Referee(setup.game, setup.rules, setup.board_seed, limits)
        self._follow(self._referee.handle(GameStarted()))
        for number, reply in enumerate(replies):
            self._repeat(reply, number)

    def _repeat(self, reply: Reply, number: int) -> None:
        if self.asked is None:
            raise UserError(f"action {number} comes after the end of the game")
        self.take(reply)
        if self.fault is not None:
            raise UserError(f"action {number} does not follow the rules: {self.fault.detail}")

    @property
    def due(self) -> Ask:
        """The decision that is open, for whoever knows that there is one."""
        if self.asked is None:
            raise ArenaError("a game that is over asks nobody")
        return self.asked

    @property
    def points(self) -> tuple[int, ...]:
        """Points of the game so far, by seat."""
        return self._state.points

    @property
    def fault(self) -> Fault | None:
        """What ended the game, if that was a fault."""
        return None if self.end is None else self.end.fault

    @property
    def is_persons_turn(self) -> bool:
        """Whether the person is asked now."""
        return self.asked is not None and self.asked.seat == self.setup.seat

    def take(self, reply: Reply) -> None:
        """Let the seat that is asked have chosen; what is not legal or late is a fault."""
        asked = self.due
        event = Replied(asked.seat, asked.seq, reply.action, reply.elapsed_us, reply.note)
        self._follow(self._referee.handle(event))
        if self.fault is None:
            self.replies += (reply,)
            self._note(asked, reply.action)
        elif reply.action not in asked.legal:
            self.misdeed = (asked, reply.action)

    def lose(self, fault: Fault) -> None:
        """End the game by a fault of the bot's."""
        seat = 1 - self.setup.seat
        late = fault.kind == "timeout"
        self._follow(self._referee.handle(DeadlinePassed(seat) if late else SeatLost(seat, fault)))

    def back(self) -> Course | None:
        """Return the game at the person's decision before the present one; None: there is none."""
        person = self.setup.seat
        own = [number for number, one in enumerate(self.happenings) if one.seat == person]
        return Course(self.setup, self.replies[: own[-1]]) if own else None

    def since_last(self) -> tuple[Happening, ...]:
        """Return what was done since the person was last asked, its own action first."""
        person = self.setup.seat
        own = [number for number, one in enumerate(self.happenings) if one.seat == person]
        return self.happenings[own[-1] :] if own else self.happenings

    def _note(self, asked: Ask, action: str) -> None:
        """Keep what has happened; of a secret action only what the person sees of it."""
        begun, self._state = len(self._state.finished_deals()), self._state.apply(action)
        ended = self._state.deals()[begun : len(self._state.finished_deals())]
        if not ended and asked.seat != self.setup.seat:
            view: Any = self._state.view(self.setup.seat)
            action = view.history[-1][1]
        self.happenings += (Happening(asked.seat, asked.view, action, ended),)

    def _follow(self, effects: tuple[Effect, ...]) -> None:
        self.asked = None
        for effect in effects:
            match effect:
                case Ask():
                    self.asked = effect
                case Inform():
                    self.end = effect
                case Finished(record=GameRecord() as record):
                    self.record = record
