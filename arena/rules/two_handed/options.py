"""The options of two-handed Euchre: what may be chosen, the defaults, and what excludes what."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from arena.rules.base import OptionProblem

_JOKER_DECKS = (25, 33)


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """The options, each with its default and what it changes.

    The rules page puts no limit on whole numbers; here they end at 1000, so that every game does.
    """

    deck_size: Annotated[
        Literal[24, 25, 32, 33],
        Meta(description="Cards in the pack: 24, or 32 with sevens and eights; +1 for a joker."),
    ] = 24
    joker_upcard: Annotated[
        Literal["C", "D", "H", "S", "dealer_declares", "dealer_makes", "redeal"],
        Meta(
            description="When the joker is turned up: this suit is proposed; or the dealer, before"
            " seeing a hand, declares the suit proposed, or makes trump and takes the joker; or the"
            " deal is void. Decks of 25 and 33 only."
        ),
    ] = "H"
    ordered_pickup: Annotated[
        Literal["optional", "mandatory"],
        Meta(description="Whether a dealer who is ordered up may decline the upcard."),
    ] = "optional"
    may_discard_upcard: Annotated[
        bool,
        Meta(
            description="Whether the dealer may discard the upcard just taken. The default is"
            " narrower than the letter of the rules page, which forbids it only after accept."
        ),
    ] = False
    may_name_turned_down_suit: Annotated[
        bool,
        Meta(
            description="Whether the suit turned down may be named. The default is narrower than"
            " the letter of the rules page, which puts no limit on the suit named."
        ),
    ] = False
    stick_the_dealer: Annotated[
        bool, Meta(description="Whether the dealer must name a suit when all others passed twice.")
    ] = False
    dealer_after_throw_in: Annotated[
        Literal["next", "same"], Meta(description="Who deals after a throw-in.")
    ] = "next"
    throw_in_cap: Annotated[
        int,
        Meta(
            ge=1,
            le=1000,
            description="After this many throw-ins in a row the dealer must name a suit. This is"
            " narrower than the letter of the rules page, which knows no such end.",
        ),
    ] = 20
    play_out: Annotated[
        bool,
        Meta(description="Whether all five tricks are played once the points cannot change."),
    ] = True
    points_made: Annotated[
        int, Meta(ge=1, le=1000, description="The maker's points for three or four tricks.")
    ] = 1
    points_march: Annotated[
        int, Meta(ge=1, le=1000, description="The maker's points for all five tricks.")
    ] = 2
    points_euchre: Annotated[
        int,
        Meta(ge=1, le=1000, description="The other seat's points if the maker takes fewer."),
    ] = 2
    target_score: Annotated[
        int, Meta(ge=1, le=1000, description="The points that win the game.")
    ] = 10


def conflicts(options: Options) -> tuple[OptionProblem, ...]:
    """Return what is wrong between options: a joker's choice needs a joker (2H-3.5)."""
    if options.joker_upcard == "H" or options.deck_size in _JOKER_DECKS:
        return ()
    text = f"needs a pack with a joker: deck_size 25 or 33, not {options.deck_size}"
    return (OptionProblem("joker_upcard", text),)
