"""The rules as they are played, against their plain form: two readings, the same at every step."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from plain_race import Race
from plain_rules import PlainDealing, start
from playing import random_deal

from arena import rules
from arena.cards import JOKER
from arena.rules.euchre import GivenCards
from arena.rules.two_handed.options import Options, conflicts

CHOICES: dict[str, Sequence[object]] = {
    "deck_size": (24, 25, 32, 33),
    "joker_upcard": (*"CDHS", "dealer_declares", "dealer_makes", "redeal"),
    "ordered_pickup": ("optional", "mandatory"),
    "may_discard_upcard": (False, True),
    "may_name_turned_down_suit": (False, True),
    "stick_the_dealer": (False, True),
    "dealer_after_throw_in": ("next", "same"),
    "throw_in_cap": (1, 2, 3, 20),
    "play_out": (False, True),
    "points_made": (1, 2, 3),
    "points_march": (1, 2, 4),
    "points_euchre": (1, 2, 3),
    "target_score": (1, 2, 5, 10),
}
CALM = (0.0, 0.3, 0.8)
"""How often, by the game, the last legal action is taken: in a bidding, pass."""


def drawn_options(dice: random.Random) -> Options:
    """Draw every option; a joker's choice only where there is a joker."""
    drawn = {key: dice.choice(choices) for key, choices in CHOICES.items()}
    options = msgspec.convert(drawn, Options)
    return msgspec.structs.replace(options, joker_upcard="H") if conflicts(options) else options


def begun(dice: random.Random) -> tuple[rules.State, rules.State]:
    """Begin the same game in both forms, one in two from given cards that may run out."""
    options = drawn_options(dice)
    loaded = rules.load("two_handed", msgspec.to_builtins(options))
    if dice.random() < 0.5:
        seed = dice.randbytes(32)
        return loaded.start(seed), start(options, seed)
    deals = drawn_deals(dice, options.deck_size)
    dealer = dice.randrange(2)
    given = GivenCards.read(deals, options.deck_size, 2)
    return loaded.start_from(deals, dealer), Race.begin(PlainDealing(options, given), dealer, 2)


def drawn_deals(dice: random.Random, deck_size: int) -> list[dict[str, Any]]:
    """Deal up to eight times, in packs with a joker often with the joker turned up."""
    return [
        random_deal(
            dice.getrandbits(32),
            deck_size,
            JOKER if deck_size % 2 and dice.random() < 0.4 else None,
        )
        for _ in range(dice.randint(1, 8))
    ]


def told(state: rules.State) -> tuple[object, ...]:
    """Return what a state tells at every step."""
    views = [state.view(seat) for seat in (0, 1)]
    return (state.to_act, state.legal(), views, state.points, state.places(), state.outcome)


def compare_a_game(seed: int) -> int:
    """Play a random game in both forms; return how many deals it had."""
    dice = random.Random(seed)
    state, plain = begun(dice)
    calm = dice.choice(CALM)
    while True:
        assert told(state) == told(plain)
        if state.to_act is None:
            break
        if dice.random() < 0.02:
            assert state.deals() == plain.deals()
        legal = state.legal()
        action = legal[-1] if dice.random() < calm else dice.choice(legal)
        state, plain = state.apply(action), plain.apply(action)
    assert state.deals() == plain.deals()
    assert state.finished_deals() == plain.finished_deals()
    return len(state.deals())


def compare(deals: int) -> None:
    """Play random games until there were so many deals."""
    seed = 0
    while deals > 0:
        deals -= compare_a_game(seed)
        seed += 1


def test_both_forms_of_the_rules_tell_the_same() -> None:
    compare(1_500)


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_both_forms_of_the_rules_tell_the_same_in_100_000_deals() -> None:
    compare(100_000)
