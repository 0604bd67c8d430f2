"""A bot: one method gets what its seat may know and the legal actions, and returns one of these.

`view` holds among other things `phase` ("order", "pick_up", "discard", "name" or "play"), `hand`,
`upcard`, `proposed`, `trump`, `trick`, `tricks`, `points` and `history`. Cards are text, rank then
suit: "JH" is the jack of hearts.
"""

from arena.sdk import Bot, View, run


class MyBot(Bot):
    """Takes a trick if it can, and never makes trump of its own accord."""

    def choose(self, view: View, legal: tuple[str, ...]) -> str:
        """Return one of `legal`."""
        if view.phase == "play":
            winners = [action for action in legal if view.would_win(action.removeprefix("play:"))]
            return (winners or legal)[0]
        return legal[-1]  # sorted: "pass" comes last where it is allowed


if __name__ == "__main__":
    run(MyBot)
