"""A303: needs too long for a discard."""

import time

from arena.sdk import View, run


def choose(view: View, legal: tuple[str, ...]) -> str:
    if view.phase == "discard":
        time.sleep(1_000)
    return legal[-1]


run(choose)
