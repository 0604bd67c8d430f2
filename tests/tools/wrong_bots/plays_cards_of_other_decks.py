"""A109: leads the best card of its longest suit, which may be nobody's."""

from arena.sdk import View, run


def choose(view: View, legal: tuple[str, ...]) -> str:
    if view.phase != "play" or view.trick:
        return legal[-1]
    suit = view.hand[0][1] if view.hand[0] != "XX" else "S"
    return f"play:8{suit}"


run(choose)
