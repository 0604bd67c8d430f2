"""A108: believes that the dealer holds the upcard, also if it declined it."""

from arena.sdk import View, run


def choose(view: View, legal: tuple[str, ...]) -> str:
    if view.phase == "pick_up":
        return "decline"
    played = {action[5:] for _, action in view.history if action.startswith("play:")}
    if view.phase != "play" or view.seat != view.dealer or view.upcard in played:
        return legal[-1]
    suit = view.effective_suit(view.trick[0][1] if view.trick else view.upcard)
    if view.turned_down or view.effective_suit(view.upcard) != suit:
        return legal[-1]
    return f"play:{view.upcard}"


run(choose)
