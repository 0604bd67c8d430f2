"""Behind `arena rankings` and the table that ends a run: from stored results to standings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from arena.ratings.rate import rate
from arena.ratings.scores import GameRow, match_scores
from arena.referee.record import GameId, name_of
from arena.report.standings import Progress, Standings, Tally
from arena.store.reader import Reader
from arena.store.rows import BotVersion, Match
from arena.store.rows import Tally as StoredTally
from arena.tournament.config import Config
from arena.tournament.entering import known_tournament
from arena.tournament.runner import VOIDS_BEFORE_LISTED
from arena.tournament.schedule import SEATINGS, matches


def current_standings(config: Config, reader: Reader) -> Standings:
    """Rate the current versions on all boards of the schedule that are complete now.

    Raises `UserError` if there are no results, or if `config` does not describe them.
    """
    known_tournament(config, reader)
    bots = [bot for bot in reader.bots() if bot.current]
    versions = [str(bot) for bot in bots]
    played = _Counted(_rows(reader, matches(versions), config.boards))
    scores = match_scores(played)
    scheduled = len(matches(versions)) * config.boards * SEATINGS
    void = _listed_voids(reader, versions, config.boards)
    return Standings(
        Progress(
            tournament=config.name,
            complete=played.count + void >= scheduled,
            games=played.count,
            scheduled=scheduled,
            void=void,
        ),
        tuple(_tallies(bots, reader.tallies())),
        scores,
        rate(
            scores,
            [bot.name for bot in bots],
            mean=config.rating.mean,
            anchors=config.rating.anchor,
            confidence=config.rating.confidence,
        ),
    )


class _Counted:
    """Counts rows on their way."""

    def __init__(self, rows: Iterator[GameRow]) -> None:
        self.count = 0
        self._rows = rows

    def __iter__(self) -> Iterator[GameRow]:
        for row in self._rows:
            self.count += 1
            yield row


def _rows(reader: Reader, played: Sequence[Match], boards: int) -> Iterator[GameRow]:
    for match in played:
        first, second = map(name_of, match)
        for result in reader.results(match):
            if result.board < boards:
                winner = name_of(result.winner)
                yield GameRow((first, second), result.board, result.seating, winner)


def _listed_voids(reader: Reader, versions: Sequence[str], boards: int) -> int:
    """Count the games of the schedule that are void for good."""
    counts: Counter[GameId] = Counter(void.id for void in reader.voids())
    return sum(
        count >= VOIDS_BEFORE_LISTED
        for game, count in counts.items()
        if game.board < boards and set(game.match) <= set(versions)
    )


def _tallies(bots: Sequence[BotVersion], stored: dict[str, StoredTally]) -> Iterator[Tally]:
    for bot in bots:
        tally = stored.get(str(bot), StoredTally())
        yield Tally(bot.name, str(bot), tally.faults, None, None)
