"""How many games make a job of the wanted length, by what was measured before."""

from __future__ import annotations

from arena.store.rows import Match

JOB_MS = 10_000
"""How long a job shall take: long against the start of its bots, short against a stop (2-10 s)."""
SHORTEST_MS = 2_000
"""Jobs are not split below this just to keep every worker busy."""
FIRST_GAMES = 64
"""Games in a job before anything was measured."""
MOST_GAMES = 4_096
"""Most games in a job, however quick they are."""


class Pace:
    """Milliseconds a game takes, by match; other matches are guessed from their bots."""

    def __init__(self) -> None:
        self._ms_per_game: dict[Match, float] = {}

    def measure(self, match: Match, games: int, elapsed_ms: int) -> None:
        """Take in that a job of so many games took so long, starts included."""
        if games:
            self._ms_per_game[match] = max(elapsed_ms / games, 0.01)

    def games_for(self, match: Match, fair_share: int) -> int:
        """Return how many games a job of `match` gets.

        `fair_share` is what each worker may take of what is left: near the end jobs shrink to it,
        so that all workers finish together.
        """
        ms = self._guess(match)
        if ms is None:
            return FIRST_GAMES
        longest = max(1, min(int(JOB_MS / ms), MOST_GAMES))
        shortest = max(1, int(SHORTEST_MS / ms))
        return max(min(longest, fair_share), min(shortest, longest))

    def _guess(self, match: Match) -> float | None:
        if match in self._ms_per_game:
            return self._ms_per_game[match]
        known = [
            ms for other, ms in self._ms_per_game.items() if not set(other).isdisjoint(match)
        ] or list(self._ms_per_game.values())
        return max(known, default=None)
