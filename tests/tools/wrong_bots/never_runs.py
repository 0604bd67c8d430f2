"""A301: defines a bot, and does not run it."""

from arena.sdk import Bot, View


class NeverRuns(Bot):
    def choose(self, view: View, legal: tuple[str, ...]) -> str:
        return legal[view.seat]
