"""Playing games in the tests of the rules: random play, given cards, small records."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from arena import cards, rules

DATA = Path(__file__).parents[1] / "data/rules"

Choose = Callable[[Sequence[str]], str]


def read_json(name: str) -> Any:
    return json.loads((DATA / name).read_text())


def read_lines(name: str) -> list[Any]:
    return [json.loads(line) for line in (DATA / name).read_text().splitlines()]


def at_random(seed: int, calm: float = 0.0) -> Choose:
    """Choose at random; with the probability `calm` the last legal action: in a bidding, pass."""
    dice = random.Random(seed)

    def choose(legal: Sequence[str]) -> str:
        if dice.random() < calm:
            return legal[-1]
        return legal[int(dice.random() * len(legal))]

    return choose


def play(state: rules.State, choose: Choose, longest: int = 100_000) -> list[rules.State]:
    """Play until nobody is to act; return all states, the first one included."""
    states = [state]
    while states[-1].to_act is not None:
        assert len(states) <= longest, "this game does not end"
        states.append(states[-1].apply(choose(states[-1].legal())))
    return states


def apply_all(state: rules.State, actions: Sequence[str]) -> rules.State:
    for action in actions:
        state = state.apply(action)
    return state


def dealt(
    hands: Sequence[Sequence[str]], upcard: str, deck_size: int = 24, **more: object
) -> dict[str, Any]:
    """Complete a deal: all other cards of the pack are the stock, in the pack's order."""
    shown = {upcard, *(card for hand in hands for card in hand)}
    stock = [card for card in cards.pack(deck_size) if card not in shown]
    return {"hands": [list(hand) for hand in hands], "upcard": upcard, "stock": stock, **more}


def random_deal(seed: int, deck_size: int, upcard: str | None = None) -> dict[str, Any]:
    """Deal at random, the given `upcard` turned up."""
    pack = list(cards.pack(deck_size))
    random.Random(seed).shuffle(pack)
    if upcard is not None:
        at = pack.index(upcard)
        pack[10], pack[at] = pack[at], pack[10]
    return dealt((pack[:5], pack[5:10]), pack[10], deck_size)


def actions_of(deals: Sequence[dict[str, Any]]) -> list[str]:
    return [action for deal in deals for _, action in deal["actions"]]
