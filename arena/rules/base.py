"""What every variant offers. Only types and their laws may stand here, no rule of any game.

The laws (design of `State`; one contract test runs them over every registered variant):

1. `State.apply` accepts exactly `State.legal`, which is sorted and never empty while a seat is
   to act.
2. An old state is never changed by `apply`; `Rules.start` is a pure function of its arguments.
3. `State.view` does not change when cards which that seat cannot see are swapped.
4. Every playout ends.
5. Every card of the pack is in exactly one place at each step (`State.places`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, Self

import msgspec


class Outcome(msgspec.Struct, frozen=True):
    """How a game that was played to its end came out."""

    points: tuple[int, ...]
    """Points of the game by seat."""
    winner: int
    """The seat that won."""


class FinishedDeal(msgspec.Struct, frozen=True):
    """What came of one deal of a game."""

    dealer: int
    points: tuple[int, ...]
    """What each seat scored in it."""


class Place(msgspec.Struct, frozen=True):
    """Some cards of the current deal and the seats that have seen their faces."""

    name: str
    cards: tuple[str, ...]
    seen_by: frozenset[int]


class State(Protocol):
    """A game at one moment: a value that never changes."""

    @property
    def to_act(self) -> int | None:
        """The seat that is asked next; None when the game is over or its given deals ran out."""
        ...

    @property
    def points(self) -> tuple[int, ...]:
        """Points of the game so far, by seat."""
        ...

    @property
    def outcome(self) -> Outcome | None:
        """Set when the game has been played to its end."""
        ...

    def legal(self) -> tuple[str, ...]:
        """Return all actions open to the seat to act, sorted as strings; empty if there is none."""
        ...

    def apply(self, action: str) -> Self:
        """Return the state after `action`.

        Raises `IllegalActionError` for anything that is not in `legal`.
        """
        ...

    def view(self, seat: int) -> msgspec.Struct:
        """Return what `seat` may know now: the `view` of a decision on the wire."""
        ...

    def deals(self) -> tuple[dict[str, Any], ...]:
        """Return all deals so far as the game record shows them (JSON values, arena-game/1).

        The last one is the deal in progress unless the game is over or its deals ran out; it
        then lacks what only a finished deal has (`tricks`, `points`, `reason`).
        """
        ...

    def finished_deals(self) -> tuple[FinishedDeal, ...]:
        """Return what came of each deal so far but the one in progress, thrown in ones too."""
        ...

    def places(self) -> tuple[Place, ...]:
        """Return where each card of the pack is in the current deal, each card exactly once."""
        ...


class Rules(Protocol):
    """A variant together with its options."""

    @property
    def name(self) -> str:
        """The variant's name in configs and records."""
        ...

    @property
    def seats(self) -> int:
        """How many seats a game has."""
        ...

    @property
    def options(self) -> msgspec.Struct:
        """All options of the variant, defaults included."""
        ...

    @property
    def view_type(self) -> type[msgspec.Struct]:
        """The type of what `State.view` returns."""
        ...

    def start(self, board_seed: bytes) -> State:
        """Begin the game of a board: a pure function of its seed (32 bytes)."""
        ...

    def start_from(self, deals: Sequence[Mapping[str, Any]], first_dealer: int) -> State:
        """Begin a game with given cards.

        Each of `deals` has what a record's deal has of cards: `hands`, `upcard`, `stock`; other
        keys are ignored. When they run out the game stops: `to_act` and `outcome` are None.
        Raises `ReplayError` with the deal's number if its cards are not exactly the pack.
        """
        ...


class OptionProblem(msgspec.Struct, frozen=True):
    """What is wrong with one option that a person wrote."""

    key: str
    text: str
    """What is wrong and what is allowed, without the key."""


class Variant(msgspec.Struct, frozen=True):
    """What a variant's module offers under the name ``VARIANT``: all the registry knows of it."""

    name: str
    options_type: type[msgspec.Struct]
    """All options, each with a default, a type that says what is allowed, and a description."""
    conflicts: Callable[[Any], tuple[OptionProblem, ...]]
    """What is wrong between options that are right one by one."""
    rules: Callable[[Any], Rules]
    """The rules with these options, which have neither problems nor conflicts."""
