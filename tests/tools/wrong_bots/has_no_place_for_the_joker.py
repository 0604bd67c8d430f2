"""A105: takes the joker for a card of no suit."""

from arena.sdk import View, run


def choose(view: View, legal: tuple[str, ...]) -> str:
    if view.phase != "play" or not view.trick:
        return legal[0]
    suit = {card: view.effective_suit(card) if card != "XX" else "X" for card in view.hand}
    led = view.trick[0][1]
    wanted = "X" if led == "XX" else view.effective_suit(led)
    follow = [card for card in view.hand if suit[card] == wanted]
    return f"play:{(follow or view.hand)[0]}"


run(choose)
