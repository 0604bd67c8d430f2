"""A104: takes its left bower for a card of the suit printed on it."""

from arena.sdk import View, run


def choose(view: View, legal: tuple[str, ...]) -> str:
    if view.phase != "play" or not view.trick:
        return legal[-1]
    wanted = view.effective_suit(view.trick[0][1])
    follow = [card for card in view.hand if (card[1] if card != "XX" else view.trump) == wanted]
    return f"play:{max(follow or view.hand, key=view.strength)}"


run(choose)
