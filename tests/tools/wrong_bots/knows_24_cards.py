"""A117: has a table of the 24 cards, in which others are not found."""

from arena.sdk import View, run

WORTH = {rank + suit: place for suit in "CDHS" for place, rank in enumerate("9TJQKA")}


def choose(view: View, legal: tuple[str, ...]) -> str:
    return legal[0] if sum(WORTH[card] for card in view.hand) > 10 else legal[-1]


run(choose)
