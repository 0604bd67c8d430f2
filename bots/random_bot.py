"""Plays any legal action, each with the same chance. The bar every bot should clear."""

from arena.sdk import Bot, View, run


class RandomBot(Bot):
    """Rolls the dice that the arena seeds, so that a run can be repeated exactly."""

    def choose(self, view: View, legal: tuple[str, ...]) -> str:  # noqa: ARG002 - looks at nothing
        """Return any legal action."""
        return self.random.choice(legal)


if __name__ == "__main__":
    run(RandomBot)
