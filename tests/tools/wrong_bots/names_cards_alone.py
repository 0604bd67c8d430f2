"""A101: answers with a card instead of an action."""

from arena.sdk import View, run


def choose(view: View, legal: tuple[str, ...]) -> str:
    return legal[0].removeprefix("play:")


run(choose)
