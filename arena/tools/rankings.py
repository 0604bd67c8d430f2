"""Behind `arena rankings` and the table that ends a run: from stored results to standings."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from arena.ratings.rate import rate
from arena.ratings.scores import GameRow, match_scores
from arena.referee.record import name_of
from arena.report.standings import Progress, Standings, Tally
from arena.store.reader import Reader
from arena.store.rows import BotVersion, Match, Result
from arena.tools.voids import listed_voids
from arena.tournament.config import Config
from arena.tournament.entering import known_tournament
from arena.tournament.schedule import matches, number_of_games

_US_PER_MS = 1_000


def current_standings(config: Config, reader: Reader) -> Standings:
    """Rate the current versions on all boards of the schedule that are complete now.

    Raises `UserError` if there are no results, or if `config` does not describe them.
    """
    known_tournament(config, reader)
    bots = [bot for bot in reader.bots() if bot.current]
    versions = [str(bot) for bot in bots]
    sums = _Sums()
    scores = match_scores(sums.take(_results(reader, matches(versions), config.boards)))
    scheduled = number_of_games(len(versions), config.boards)
    void = listed_voids(reader, versions, config.boards)
    return Standings(
        Progress(
            tournament=config.name,
            complete=sums.games + void >= scheduled,
            games=sums.games,
            scheduled=scheduled,
            void=void,
        ),
        tuple(sums.tally(bot) for bot in bots),
        scores,
        rate(
            scores,
            [bot.name for bot in bots],
            mean=config.rating.mean,
            anchors=config.rating.anchor,
            confidence=config.rating.confidence,
        ),
    )


class _Sums:
    """What is shown of each bot, summed up while its games stream by.

    Of games only those of complete boards are shown, so only their faults and times are too.
    """

    def __init__(self) -> None:
        self.games = 0
        """All finished ones, those of half boards included."""
        self._faults: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self._decisions: Counter[str] = Counter()
        self._spent_us: Counter[str] = Counter()

    def take(self, results: Iterator[Result]) -> Iterator[GameRow]:
        """Sum up `results` and pass on what ratings need of them.

        They come by match and board, so that the two games of a board (schedule.SEATINGS) are
        neighbours.
        """
        waiting: Result | None = None
        for result in results:
            self.games += 1
            if waiting is not None and _same_board(waiting, result):
                self._add(waiting)
                self._add(result)
            waiting = result
            game = result.id
            first, second = map(name_of, game.match)
            winner = name_of(game.seats[result.winner])
            yield GameRow((first, second), game.board, game.seating, winner)

    def _add(self, result: Result) -> None:
        names = [name_of(version) for version in result.id.seats]
        self._decisions.update(dict(zip(names, result.decisions, strict=True)))
        self._spent_us.update(dict(zip(names, result.spent_us, strict=True)))
        if result.fault is not None:
            seat, kind = result.fault
            self._faults[names[seat]][kind] += 1

    def tally(self, bot: BotVersion) -> Tally:
        """Return the sums of one bot."""
        decisions = self._decisions[bot.name]
        ms = self._spent_us[bot.name] / decisions / _US_PER_MS if decisions else None
        return Tally(bot.name, str(bot), self._faults[bot.name], ms, None)


def _same_board(one: Result, other: Result) -> bool:
    return (one.id.match, one.id.board) == (other.id.match, other.id.board)


def _results(reader: Reader, played: Sequence[Match], boards: int) -> Iterator[Result]:
    for match in played:
        for result in reader.results(match):
            if result.id.board < boards:
                yield result
