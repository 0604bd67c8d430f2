"""How a game begins in the plain form of the rules. Helpers only, no test."""

from __future__ import annotations

from typing import Literal

import msgspec
from plain_deal import Deal
from plain_race import Race, Standing

from arena.rules.euchre import GivenCards, SeededCards
from arena.rules.two_handed.options import Options


class PlainDealing(msgspec.Struct, frozen=True):
    """What `arena.rules.two_handed.Dealing` does, for the plain form."""

    options: Options
    source: SeededCards | GivenCards

    @property
    def target(self) -> int:
        return self.options.target_score

    @property
    def dealer_after_throw_in(self) -> Literal["next", "same"]:
        return self.options.dealer_after_throw_in

    def deal(self, number: int, standing: Standing) -> Deal | None:
        cards = self.source.of(number)
        if cards is None:
            return None
        stuck = self.options.stick_the_dealer or standing.throw_ins >= self.options.throw_in_cap
        return Deal.begin(self.options, cards, standing.dealer, stuck=stuck)


def start(options: Options, board_seed: bytes) -> Race[Deal]:
    """Begin the game of a board; the lowest bit of its seed is the first dealer (2H-3.1)."""
    source = SeededCards(options.deck_size, 2, board_seed)
    return Race.begin(PlainDealing(options, source), board_seed[-1] & 1, 2)
