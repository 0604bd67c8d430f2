"""A107: plays from the hand as it was before the first trick, found in the history."""

from arena.sdk import View, run


def choose(view: View, legal: tuple[str, ...]) -> str:
    if view.phase != "play":
        return legal[-1]
    own = [action[5:] for seat, action in view.history if seat == view.seat and ":" in action]
    hand = sorted({*view.hand, *(card for card in own if len(card) == 2)}, key=view.strength)
    if view.trick:
        led = view.effective_suit(view.trick[0][1])
        hand = [card for card in hand if view.effective_suit(card) == led] or list(view.hand)
    return f"play:{hand[-1]}"


run(choose)
