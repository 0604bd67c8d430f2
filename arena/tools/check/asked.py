"""What is put to a bot under check: fixed positions, and games against dice. Pure.

What is right is never written down: the rules derive it.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any

import msgspec

from arena import rules
from arena.cards import pack
from arena.rules.base import Rules, State
from arena.rules.euchre import View

VARIANT = "two_handed"
_BOT_SEED_BITS = 53


class Asked(msgspec.Struct, frozen=True):
    """One decision that is put to a bot."""

    game: str
    """Which game it is of; all decisions of a game have one table."""
    where: str
    """In words for the author, such as ``position 14, the left bower is led``."""
    rules: Rules
    seat: int
    bot_seed: int
    seq: int
    legal: tuple[str, ...]
    view: View
    earlier: frozenset[str]
    """Cards the seat held in earlier deals of the game."""


class Position(msgspec.Struct, frozen=True):
    """A moment of a game that bots seldom meet, or in which a mistake shows."""

    name: str
    options: dict[str, Any]
    first_dealer: int
    deals: tuple[dict[str, Any], ...]
    """Hands and upcard of each; the stock is what is left of the pack."""
    actions: str
    """All that was done before, apart by blanks; who did it follows from the rules."""

    def decisions(self, number: int) -> tuple[Asked, ...]:
        """Return the decisions of the seat that is to act, the last one of which is in question."""
        known = rules.load(VARIANT, self.options)
        course = _Course(f"position {number}", known, self._start(known), bot_seed=number)
        done = []
        for action in self.actions.split():
            done.append(course.asked())
            course.apply(action)
        last = course.asked()
        earlier = tuple(one for one in done if one.seat == last.seat)
        where = f"position {number}, {self.name}"
        return tuple(msgspec.structs.replace(one, where=where) for one in (*earlier, last))

    def _start(self, known: Rules) -> State:
        return known.start_from([_whole(deal, known) for deal in self.deals], self.first_dealer)

    @property
    def is_possible(self) -> bool:
        """Whether all its actions are legal, and somebody is to act after them."""
        state = self._start(rules.load(VARIANT, self.options))
        for action in self.actions.split():
            if action not in state.legal():
                return False
            state = state.apply(action)
        return state.to_act is not None


def _whole(deal: Mapping[str, Any], known: Rules) -> dict[str, Any]:
    """Return a deal with its stock."""
    dealt = {card for hand in deal["hands"] for card in hand} | {deal["upcard"]}
    whole = pack(known.options.deck_size)  # type: ignore[attr-defined]
    return {**deal, "stock": [card for card in whole if card not in dealt]}


class _Course:
    """A game as it goes on, with what each seat is asked."""

    def __init__(self, game: str, known: Rules, state: State, *, bot_seed: int) -> None:
        self.state = state
        self._game = game
        self._rules = known
        self._bot_seed = bot_seed
        self._seqs = [0] * known.seats
        self._held: list[dict[int, frozenset[str]]] = [{} for _ in self._seqs]
        """By seat and deal, the cards it was seen to hold."""

    def asked(self) -> Asked:
        """Return what the seat to act is asked."""
        seat = self.state.to_act
        assert seat is not None  # noqa: S101 - whoever goes on has looked
        view = self.state.view(seat)
        assert isinstance(view, View)  # noqa: S101 - the variant's
        held = self._held[seat]
        held[view.deal] = held.get(view.deal, frozenset()) | set(view.hand)
        before = (held[deal] for deal in held if deal < view.deal)
        return Asked(
            self._game,
            f"{self._game}, deal {view.deal + 1}",
            self._rules,
            seat,
            self._bot_seed,
            self._seqs[seat],
            self.state.legal(),
            view,
            frozenset().union(*before),
        )

    def apply(self, action: str) -> None:
        """Go on."""
        seat = self.state.to_act
        assert seat is not None  # noqa: S101 - whoever goes on has looked
        self._seqs[seat] += 1
        self.state = self.state.apply(action)


class Game(msgspec.Struct, frozen=True):
    """A game of the bot against dice."""

    number: int
    """From 1."""
    options: dict[str, Any]
    seat: int
    """The bot's."""
    seed: str
    """What cards and dice come from, with the number."""


class Playing:
    """A game while it is played."""

    def __init__(self, game: Game) -> None:
        """Deal, and go on to the bot's first decision."""
        known = rules.load(VARIANT, game.options)
        seed = sha256(f"{game.seed}/{game.number}".encode()).digest()
        bot_seed = int.from_bytes(seed) >> (8 * len(seed) - _BOT_SEED_BITS)
        self.name = f"game {game.number}"
        self._seat = game.seat
        self._course = _Course(self.name, known, known.start(seed), bot_seed=bot_seed)
        self._told = _told(game.options)
        self._dice = random.Random(seed)  # noqa: S311 - no secret
        self._go_on()

    @property
    def points(self) -> tuple[int, ...]:
        """How it ended; no points at all if it was broken off."""
        state = self._course.state
        return state.points if state.to_act is None else (0,) * len(state.points)

    def asked(self) -> Asked | None:
        """Return the bot's decision; None when the game is over."""
        if self._course.state.to_act is None:
            return None
        asked = self._course.asked()
        return msgspec.structs.replace(asked, where=f"{asked.where}{self._told}")

    def answer(self, action: str) -> None:
        """Take a legal action of the bot."""
        self._course.apply(action)
        self._go_on()

    def _go_on(self) -> None:
        """Let the dice answer until it is the bot's turn."""
        while self._course.state.to_act == 1 - self._seat:
            self._course.apply(self._dice.choice(self._course.state.legal()))


def _told(options: Mapping[str, Any]) -> str:
    """Show the options of a game but for how long it is."""
    shown = (f", {key} {json.dumps(options[key])}" for key in options if key != "target_score")
    return "".join(shown)


@cache
def positions() -> tuple[Position, ...]:
    """Return all positions; the first has the number 1."""
    return msgspec.json.decode(_read("positions.json"), type=tuple[Position, ...])


@cache
def option_sets() -> tuple[dict[str, Any], ...]:
    """Return with which options games are played, so that each option has each value once."""
    return msgspec.json.decode(_read("games.json"), type=tuple[dict[str, Any], ...])


def games(sets: Sequence[dict[str, Any]], seed: str) -> Iterator[Game]:
    """Yield a game in both seats with each of these options."""
    for number, (options, seat) in enumerate(((one, seat) for one in sets for seat in (0, 1)), 1):
        yield Game(number, options, seat, seed)


def under(position: Position, options: Mapping[str, Any]) -> Position | None:
    """Return a position as it is with other options; None if it cannot come about with them."""
    given = rules.load(VARIANT, options).options
    if any(getattr(given, key) != value for key, value in position.options.items()):
        return None
    moved = msgspec.structs.replace(position, options=dict(options))
    return moved if moved.is_possible else None


def _read(name: str) -> bytes:
    return (files(__package__) / name).read_bytes()
