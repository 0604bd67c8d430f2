"""A114: keeps the first hand it sees, and with it plays on in the next deal."""

from arena.sdk import Bot, View, run


class KeepsItsFirstHand(Bot):
    def begin(self) -> None:
        self.hand: list[str] = []

    def choose(self, view: View, legal: tuple[str, ...]) -> str:
        if view.phase != "play":
            return legal[-1]
        self.hand = self.hand or list(view.hand)
        led = view.trick[0][1] if view.trick else None
        for card in self.hand:
            if led is None or view.effective_suit(card) == view.effective_suit(led):
                break
        else:
            card = self.hand[0]
        if card in view.hand and f"play:{card}" not in legal:
            card = legal[0][5:]
        if card in self.hand:
            self.hand.remove(card)
        return f"play:{card}"


run(KeepsItsFirstHand)
