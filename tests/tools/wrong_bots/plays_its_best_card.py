"""A106: plays its best card, whatever was led."""

from arena.sdk import View, run


def choose(view: View, legal: tuple[str, ...]) -> str:
    if view.phase != "play":
        return legal[-1]
    return f"play:{max(view.hand, key=lambda card: card[0] in 'AK')}"


run(choose)
