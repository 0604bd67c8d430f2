"""Imagines hands that the other seat may hold and looks what is best against each.

It draws hands that agree with all it has seen (worlds.py), plays each action out with both hands
open and no errors (decision.py, solver.py), and takes the action that is best on the average.
Before trump is made a model says what both seats would go on to call (calls.py). Params:

- `worlds`: how many hands to imagine, 100;
- `weighted`: whether a hand counts by how well the other's calls fit it, true;
- `aim`: `game`, to win the game from its standing (chances.py), or `points` of the deal.

With the defaults it is the strongest bot here.
"""

from calls import Bidding
from chances import stakes
from decision import Decision
from solver import SUITS
from worlds import Seen

from arena.sdk import Bot, View, pack, run


class MonteCarlo(Bot):
    """Takes each decision from its view alone; the dice are the arena's."""

    max_tables = 4  # all that is asked at once has to be answered within one limit

    def begin(self) -> None:
        """Read the params."""
        self.worlds = self.params.get("worlds", 100)
        self.weighted = self.params.get("weighted", True)
        self.for_game = self.params.get("aim", "game") == "game"

    def choose(self, view: View, legal: tuple[str, ...]) -> str:
        """Return the action that is best on the average."""
        if len(legal) == 1 or view.proposed is None:
            return legal[0]  # the joker's suit, with the hand unseen: one is as good as the other
        totals = self.totals(view, view.proposed, legal)

        def promise(place: int) -> tuple[float, int, int]:
            return round(totals[place], 9), *appeal(view, legal[place])

        return legal[max(range(len(legal)), key=promise)]

    def totals(self, view: View, proposed: str, legal: tuple[str, ...]) -> list[float]:
        """Return what each action comes to, summed over the worlds."""
        options = self.game.options
        allowed = SUITS if options["may_name_turned_down_suit"] else SUITS.replace(proposed, "")
        stuck = options["stick_the_dealer"] or view.throw_ins >= options["throw_in_cap"]
        bidding = Bidding(view.upcard, proposed, allowed, stuck)
        decision = Decision(view, bidding, stakes(view, options, for_game=self.for_game))
        seen = Seen(view, pack(options["deck_size"]), bidding)
        dice = self.random
        totals = [0.0] * len(legal)
        for _ in range(self.worlds):
            world = seen.draw(dice, weighted=self.weighted)
            for place, worth in enumerate(decision.worths(world.other, legal)):
                totals[place] += world.weight * worth
        return totals


def appeal(view: View, action: str) -> tuple[int, int]:
    """Return what decides between equally good actions: much when cards are played.

    With both hands open many plays are equal because nobody errs. Who sees one hand does, so win
    what can be won cheaply and lead what is hard to beat, but keep trumps.
    """
    if view.phase != "play":
        return 0, 0
    card = action[5:]
    if view.trick:
        return int(view.would_win(card)), -view.strength(card)
    return int(not view.is_trump(card)), view.strength(card)


if __name__ == "__main__":
    run(MonteCarlo)
