"""A103: follows the suit printed on a left bower that was led."""

from arena.sdk import View, run


def choose(view: View, legal: tuple[str, ...]) -> str:
    if view.phase != "play" or not view.trick:
        return legal[-1]
    led = view.trick[0][1]
    wanted = led[1] if led != "XX" else view.trump
    follow = [card for card in view.hand if view.effective_suit(card) == wanted]
    return f"play:{(follow or view.hand)[0]}"


run(choose)
