"""A115: keeps answers by deal and number of actions, which is the same in other games."""

from arena.sdk import View, run

ANSWERS: dict[tuple[int, int, int], str] = {}


def choose(view: View, legal: tuple[str, ...]) -> str:
    place = (view.seat, view.deal, len(view.history))
    return ANSWERS.setdefault(place, legal[-1])


run(choose)
