"""Target 1b: what it costs that every match and seating has fresh processes, with 20 bots."""

from __future__ import annotations

import math
from collections.abc import Iterator

from tests.benchmarks.figures import Bound, Reading
from tests.benchmarks.rounds import Round
from tests.benchmarks.tournament import bots, played

_BOTS = 20
_BOARDS = 100
_TIMES_PLAY = Bound("most", 2.5)


def measure(this: Round) -> Iterator[Reading]:
    """Hold the whole to its games at the rate of two bots in the same round.

    A shorter round has fewer bots, not fewer boards: so starts weigh the same.
    """
    number = max(3, round(_BOTS * math.sqrt(this.scale)))
    with played(bots(number), boards=_BOARDS, tables=64, run={"workers": 2}) as found:
        games = sum(1 for _ in found.results())
        wall_s = found.spent.wall_s
    play_s = games / this.two_bots(64, workers=2).speed.games_per_s
    row = f"{number} random bots, {games:,} games: x the play alone"
    yield Reading("1b", row, wall_s, "s", wall_s / play_s, _TIMES_PLAY)
