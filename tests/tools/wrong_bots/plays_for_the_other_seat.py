"""A110: answers for the seat that has just led, with its card."""

from arena.sdk import View, run


def choose(view: View, legal: tuple[str, ...]) -> str:
    return f"play:{view.trick[-1][1]}" if view.trick else legal[-1]


run(choose)
