"""How many games make a job of the wanted length, by what was measured before."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import median_low

from arena.store.rows import Match

JOB_MS = 10_000
"""How long a job is played at most: long against the start of its bots, short against a stop."""
AIM_MS = 9_000
"""For how long it gets games: with less than it may take, as what comes back unplayed is for other
bot processes, however little it is."""
SHORTEST_MS = 2_000
"""Jobs are not split below this just to keep every worker busy."""
FIRST_GAMES = 1_024
"""Most games in a job before anything was measured; their time ends it, too."""
MOST_GAMES = 4_096
"""Most games in a job, however quick they are."""
_LEAST_MS = 0.01


class Pace:
    """Milliseconds of play a game takes, by match; other matches are guessed from their bots."""

    def __init__(self) -> None:
        self._ms_per_game: dict[Match, float] = {}

    def measure(self, match: Match, games: int, play_ms: int) -> None:
        """Take in that so many games took so long together, the start of their bots not counted."""
        if games:
            self._ms_per_game[match] = max(play_ms / games, _LEAST_MS)

    def games_for(self, match: Match, fair_share: int) -> int:
        """Return how many games a job of `match` gets.

        `fair_share` is what each worker may take of what is left: near the end jobs shrink to it,
        so that all workers finish together.
        """
        ms = guess(self._ms_per_game, match)
        if ms is None:
            return min(FIRST_GAMES, fair_share)
        longest = max(1, min(int(AIM_MS / ms), MOST_GAMES))
        shortest = max(1, int(SHORTEST_MS / ms))
        return max(min(longest, fair_share), min(shortest, longest))


def guess(measured: Mapping[Match, float], match: Match) -> float | None:
    """Return what was measured of a match, or what can be expected of it; None: nothing is known.

    A bot takes what it took in the middle of its matches, as in some its opponent may have been the
    one; a match takes what the more demanding of its bots does.
    """
    if match in measured:
        return measured[match]
    of_bots = [[value for other, value in measured.items() if bot in other] for bot in match]
    usual = [median_low(values) for values in of_bots if values]
    return max(usual or measured.values(), default=None)
