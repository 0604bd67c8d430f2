"""A112: names its longest suit, even if it was turned down."""

from arena.sdk import View, run


def choose(view: View, legal: tuple[str, ...]) -> str:
    if view.phase == "order":
        return "pass"
    if view.phase == "name":
        return "name:" + max("CDHS", key=lambda suit: sum(card[1] == suit for card in view.hand))
    return legal[-1]


run(choose)
