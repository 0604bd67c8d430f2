"""Which of the stored games count, and whether anything is missing.

Counting only; what a game is worth is not known here.
"""

from __future__ import annotations

from collections import Counter

import msgspec

from arena.referee.record import GameId
from arena.store.reader import Reader
from arena.store.rows import BotVersion, Match, Stop
from arena.tournament.counting import Counting, standing_stop
from arena.tournament.schedule import SEATINGS, matches, number_of_games
from arena.tournament.voids import Voids


class Totals(msgspec.Struct, frozen=True):
    """What has become of all games of the schedule."""

    scheduled: int
    games: int
    """Finished ones that count."""
    void: int
    """Void for good."""
    dropped: int
    """Of withdrawn bots: not to be played, or played too late to count."""
    not_needed: int = 0
    """After the game that stopped the tournament: the same."""

    @property
    def settled(self) -> int:
        """Games of the schedule that are played or settled otherwise."""
        return self.games + self.void + self.dropped + self.not_needed

    @property
    def complete(self) -> bool:
        """Whether that is every game of the schedule; an empty one has not begun."""
        return self.settled >= self.scheduled > 0


class CountedGames:
    """Sorts the stored games of the current bot versions, as they stream by."""

    def __init__(self, reader: Reader, boards: int) -> None:
        """Find out who plays, who is withdrawn, and what is void; no game is read yet."""
        self.bots: tuple[BotVersion, ...] = tuple(bot for bot in reader.bots() if bot.current)
        self.matches: tuple[Match, ...] = matches(map(str, self.bots))
        self._boards = boards
        self.stop: Stop | None = standing_stop(
            reader.stops(), [str(bot) for bot in self.bots], boards
        )
        """Why the tournament ended before its last board; None: it did not."""
        self._counting = Counting(reader.withdrawals(), self.stop)
        self._games: Counter[Match] = Counter()
        self.listed_voids = self._listed_voids(reader)
        """Games of the schedule that stay void."""
        self._void: Counter[Match] = Counter(game.match for game in self.listed_voids)

    def counts(self, game: GameId) -> bool:
        """Whether a stored game of one of `matches` counts."""
        return game.board < self._boards and self._counting.counts(game)

    def take(self, game: GameId) -> bool:
        """Count a stored game of one of `matches` if it counts; return whether it does."""
        if not self.counts(game):
            return False
        self._games[game.match] += 1
        return True

    def take_all(self, reader: Reader) -> None:
        """Take all stored games, looking at single ones only where some may not count."""
        for match in self.matches:
            if not self._counting.has_withdrawn(match):
                self._games[match] += reader.games_of(match, self._needed(match))
                continue
            for game in reader.settled(match):
                self.take(GameId(match, game.board, game.seating))

    def totals(self) -> Totals:
        """Sum up all that was taken."""
        dropped = sum(
            SEATINGS * self._needed(match) - self._games[match] - self._void[match]
            for match in self.matches
            if self._counting.has_withdrawn(match)
        )
        scheduled = number_of_games(len(self.bots), self._boards)
        games, void = self._games.total(), self._void.total()
        return Totals(scheduled, games, void, dropped, self.not_needed)

    @property
    def not_needed(self) -> int:
        """Games of the schedule after the one that stopped the tournament."""
        return SEATINGS * sum(self._boards - self._needed(match) for match in self.matches)

    def _needed(self, match: Match) -> int:
        """Return how many boards of a match are to be played."""
        return min(self._boards, self._counting.boards_needed(match))

    def _listed_voids(self, reader: Reader) -> set[GameId]:
        voids = Voids()
        listed = set()
        scheduled = set(self.matches)
        for game in (void.id for void in reader.voids()):
            voids.add(game)
            if game.match in scheduled and voids.is_listed(game) and self.counts(game):
                listed.add(game)
        return listed


def count_games(reader: Reader, boards: int) -> Totals:
    """Count the stored games of the current bot versions."""
    with reader.steady():
        counted = CountedGames(reader, boards)
        counted.take_all(reader)
        return counted.totals()
