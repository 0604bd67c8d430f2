"""Behind `arena rankings` and the table that ends a run: from stored results to standings."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from arena.ratings.critical import student
from arena.ratings.rate import rate
from arena.ratings.scores import GameRow, match_scores
from arena.referee.record import name_of
from arena.report.circumstances import Watch
from arena.report.standings import Progress, Standings, Tally
from arena.store.reader import Reader
from arena.store.rows import BotVersion, Match, Result
from arena.tools.boards import boards, is_complete, row_of
from arena.tools.copies import find_alike
from arena.tools.counted import CountedGames
from arena.tools.deals import DealSums, SeatedGame
from arena.tools.endings import find_ending, sequential_match, without_intervals
from arena.tournament.config import Config
from arena.tournament.entering import known_tournament
from arena.tournament.identity import commitment

_US_PER_MS = 1_000


def current_standings(config: Config, reader: Reader) -> Standings:
    """Rate the current versions on all boards of the schedule that are complete now.

    Raises `UserError` if there are no results, or if `config` does not describe them.
    """
    with reader.steady():
        return _standings(config, reader)


def _standings(config: Config, reader: Reader) -> Standings:
    tournament = known_tournament(config, reader)
    counted = CountedGames(reader, config.boards)
    sums, watch = _Sums(), Watch()
    scores = match_scores(
        row
        for match in counted.matches
        for row in sums.take(match, _results(reader, match, counted, watch))
    )
    confidence = config.rating.confidence
    totals = counted.totals()
    sequential = sequential_match(counted.stop)
    return Standings(
        Progress(
            tournament=config.name,
            complete=totals.complete,
            games=totals.games,
            scheduled=totals.scheduled,
            void=totals.void,
            dropped=totals.dropped,
            commitment=commitment(tournament.secret),
            closed=tournament.revealed,
        ),
        tuple(_tallies(reader, counted, sums)),
        scores,
        rate(
            scores,
            [bot.name for bot in counted.bots],
            mean=config.rating.mean,
            anchors=config.rating.anchor,
            prior=config.rating.prior,
            confidence=confidence,
            sequential=sequential,
        ),
        watch.circumstances(next((one.digest for one in reversed(reader.inspections())), None)),
        without_intervals(sums.deals.points(student(confidence)), sequential),
        find_ending(config, reader, counted),
        tuple(find_alike(reader, counted, scores)),
    )


class _Sums:
    """What is shown of each bot, summed up while its games stream by.

    Of games only those of complete boards are shown, so only their faults and times are too.
    """

    def __init__(self) -> None:
        self._bots: defaultdict[str, _BotSums] = defaultdict(_BotSums)
        self.deals = DealSums()

    def take(self, match: Match, results: Iterator[Result]) -> Iterator[GameRow]:
        """Sum up the results of a match, which come by board, and pass on what ratings need."""
        first, second = names = name_of(match[0]), name_of(match[1])
        one, other = self._bots[first], self._bots[second]
        for board in boards(results):
            if is_complete(board):
                for result in board:
                    seat = result.id.seating
                    one.take(result, seat)
                    other.take(result, 1 - seat)
                self.deals.take(match, *map(SeatedGame.of, board))
            for result in board:
                yield row_of(result, names)

    def tally(self, bot: BotVersion, withdrawn: str | None, *, left_out: bool) -> Tally:
        """Return the sums of one bot, with why it does not play, if it does not."""
        sums = self._bots[bot.name]
        return Tally(
            bot.name,
            str(bot),
            sums.faults,
            _ms_each(sums.spent_us, sums.decisions),
            _ms_each(sums.cpu_us, sums.cpu_decisions),
            withdrawn,
            left_out,
        )


class _BotSums:
    """What is summed up of one bot."""

    def __init__(self) -> None:
        self.faults = Counter[str]()
        self.decisions = 0
        self.spent_us = 0
        self.cpu_us = 0
        self.cpu_decisions = 0
        """Those of the games whose CPU time was measured."""

    def take(self, result: Result, seat: int) -> None:
        """Add a game in which it had this seat."""
        self.decisions += result.decisions[seat]
        self.spent_us += result.spent_us[seat]
        if result.cpu_us:
            self.cpu_us += result.cpu_us[seat]
            self.cpu_decisions += result.decisions[seat]
        if result.fault is not None and result.fault[0] == seat:
            self.faults[result.fault[1]] += 1


def _ms_each(total_us: int, decisions: int) -> float | None:
    return total_us / decisions / _US_PER_MS if decisions else None


def _results(reader: Reader, match: Match, counted: CountedGames, watch: Watch) -> Iterator[Result]:
    for result in reader.results(match):
        if counted.take(result.id):
            lag_us = result.lag_us if result.cpu_us else None  # measured together
            watch.take(result.isolation, result.pondering, lag_us)
            yield result


def _tallies(reader: Reader, counted: CountedGames, sums: _Sums) -> Iterator[Tally]:
    withdrawn = {one.version: one.reason for one in reader.withdrawals()}
    left_out = {
        version: f"the last run could not start it: {detail}"
        for version, detail in reader.left_out().items()
        if version not in withdrawn
    }
    reasons = left_out | withdrawn
    for bot in counted.bots:
        yield sums.tally(bot, reasons.get(str(bot)), left_out=str(bot) in left_out)
