"""A110: believes that it is the dealer when seat 0 is."""

from arena.sdk import View, run


def choose(view: View, legal: tuple[str, ...]) -> str:
    if view.phase == "order":
        return "accept" if view.dealer == 0 else "order"
    return legal[-1]


run(choose)
