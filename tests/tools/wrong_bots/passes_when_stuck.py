"""A113: passes with a bad hand, whatever the options say."""

from arena.sdk import View, run


def choose(view: View, legal: tuple[str, ...]) -> str:
    return "pass" if view.phase in {"order", "name"} else legal[-1]


run(choose)
