"""Plays the first legal action after a while: param `us`, spent busily or (`sleeps`) asleep.

It notes when each thought began and ended, in nanoseconds of the clock that all processes share.
"""

import time

from arena.sdk import Bot, View, run


class ThinkingBot(Bot):
    """Thinks so many microseconds about each decision, by its own clock."""

    def choose(self, view: View, legal: tuple[str, ...]) -> str:  # noqa: ARG002 - looks at nothing
        """Return the first legal action."""
        began_ns = time.monotonic_ns()
        us = self.params["us"]
        if self.params.get("sleeps"):
            time.sleep(us / 1_000_000)
        while (ended_ns := time.monotonic_ns()) < began_ns + us * 1000:
            pass
        self.note(f"{began_ns} {ended_ns}")
        return legal[0]


if __name__ == "__main__":
    run(ThinkingBot)
