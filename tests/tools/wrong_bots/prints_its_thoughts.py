"""A201: prints to stdout."""

from arena.sdk import View, run


def choose(view: View, legal: tuple[str, ...]) -> str:
    print(f"\x1b[2Jthinking of {legal[0]}")
    return legal[0]


run(choose)
