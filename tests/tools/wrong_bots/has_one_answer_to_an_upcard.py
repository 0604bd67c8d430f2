"""A102: answers an order as it would answer a pass."""

from arena.sdk import View, run


def choose(view: View, legal: tuple[str, ...]) -> str:
    if view.phase == "pick_up":
        return "accept"
    return legal[-1]


run(choose)
