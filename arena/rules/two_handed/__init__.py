"""Two-handed Euchre: the variant as the registry knows it.

Clauses (2H-4.3) are those of the rules of two-handed Euchre. `options` says what may be chosen,
`bidding` and `play` are the two parts of a deal; the game around it is a race to the target.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec

from arena.errors import ReplayError
from arena.rules.base import Variant
from arena.rules.euchre import GivenCards, SeededCards, View
from arena.rules.race import Deal, Race, begin
from arena.rules.two_handed.bidding import Bidding
from arena.rules.two_handed.options import Options, conflicts

NAME = "two_handed"
SEATS = 2


class Dealing(msgspec.Struct, frozen=True):
    """How the deals of one game begin: its options and where its cards come from."""

    options: Options
    source: SeededCards | GivenCards

    @property
    def target(self) -> int:
        """Points that win the game (2H-8.1)."""
        return self.options.target_score

    @property
    def dealer_after_throw_in(self) -> Literal["next", "same"]:
        """Who deals after a throw-in (2H-5.4)."""
        return self.options.dealer_after_throw_in

    def deal(self, race: Race) -> Deal | None:
        """Begin the next deal of a race; None if the given cards ran out."""
        cards = self.source.of(race.number)
        if cards is None:
            return None
        options = self.options
        stuck = options.stick_the_dealer or race.standing.throw_ins >= options.throw_in_cap
        return Bidding.begin(race, options, cards, stuck=stuck)


class TwoHanded(msgspec.Struct, frozen=True):
    """The rules of two-handed Euchre with their options."""

    options: Options = Options()

    @property
    def name(self) -> str:
        """The variant's name in configs and records."""
        return NAME

    @property
    def seats(self) -> int:
        """Two players (2H-1.3)."""
        return SEATS

    @property
    def view_type(self) -> type[View]:
        """The type of what `State.view` returns."""
        return View

    def start(self, board_seed: bytes) -> Deal:
        """Begin the game of a board; the lowest bit of its seed is the first dealer (2H-3.1)."""
        source = SeededCards(self.options.deck_size, SEATS, board_seed)
        return begin(Dealing(self.options, source), board_seed[-1] & 1, SEATS)

    def start_from(self, deals: Sequence[Mapping[str, Any]], first_dealer: int) -> Deal:
        """Begin a game with given cards; raises `ReplayError` if they are not the pack."""
        if first_dealer not in range(SEATS):
            raise ReplayError(f"the first dealer is seat 0 or 1, not {first_dealer!r}")
        source = GivenCards.read(deals, self.options.deck_size, SEATS)
        return begin(Dealing(self.options, source), first_dealer, SEATS)


VARIANT = Variant(NAME, Options, conflicts, TwoHanded)
