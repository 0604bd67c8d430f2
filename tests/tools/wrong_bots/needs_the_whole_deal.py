"""A116: remembers its trumps from the bidding, and cannot play without that."""

from arena.sdk import Bot, View, run


class NeedsTheWholeDeal(Bot):
    def choose(self, view: View, legal: tuple[str, ...]) -> str:
        if view.phase != "play":
            self.trumps = [card for card in view.hand if view.is_trump(card, view.proposed)]
            return legal[0]
        return legal[0] if len(self.trumps) > 2 else legal[-1]


run(NeedsTheWholeDeal)
