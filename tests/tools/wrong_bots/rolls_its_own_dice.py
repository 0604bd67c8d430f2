"""A202: rolls dice that the arena does not seed."""

import random

from arena.sdk import View, run

DICE = random.Random()


def choose(view: View, legal: tuple[str, ...]) -> str:
    return DICE.choice(legal)


run(choose)
