"""A115: keeps its hand in an attribute of the class, which all tables share."""

from arena.sdk import Bot, View, run


class KeepsItsHandForAllTables(Bot):
    hand: tuple[str, ...] = ()

    def choose(self, view: View, legal: tuple[str, ...]) -> str:
        kind = type(self)
        if view.phase != "play":
            kind.hand = ()
            return legal[-1]
        if not kind.hand or len(kind.hand) < len(view.hand):
            kind.hand = view.hand
        led = view.effective_suit(view.trick[0][1]) if view.trick else None
        fits = [card for card in kind.hand if view.effective_suit(card) == led]
        card = (fits or kind.hand)[0]
        kind.hand = tuple(other for other in kind.hand if other != card)
        return f"play:{card}"


run(KeepsItsHandForAllTables)
