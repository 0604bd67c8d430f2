"""A111: discards its weakest card, which may be the upcard just taken."""

from arena.sdk import View, run


def choose(view: View, legal: tuple[str, ...]) -> str:
    if view.phase == "order":
        return legal[0]
    if view.phase == "discard":
        return f"discard:{min(view.hand, key=lambda card: '9TQJKA'.find(card[0]))}"
    return legal[-1]


run(choose)
