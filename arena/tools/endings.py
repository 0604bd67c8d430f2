"""What ended a tournament before its last board, and how an SPRT stands: from stored results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from arena.ratings.ratings import Sequential
from arena.referee.record import GameId, name_of
from arena.report.endings import Ending, sprt_row, stop_row
from arena.store.reader import Reader
from arena.store.rows import Match, Stop
from arena.tools.counted import CountedGames
from arena.tournament.config import Config
from arena.tournament.ledger import stored_fate
from arena.tournament.schedule import Fate, Schedule
from arena.tournament.stops import sprt_rule


def find_ending(config: Config, reader: Reader, counted: CountedGames) -> Ending:
    """Return what ended the tournament, or may yet."""
    not_needed = counted.not_needed
    stop = counted.stop
    if stop is not None:
        sprt = sprt_row(stop.figures, stop.reason) if stop.kind == "sprt" else None
        return Ending(stop_row(stop), sprt, not_needed)
    rule = sprt_rule(config, map(str, counted.bots))
    if rule is None:
        return Ending(not_needed=not_needed)
    seen = Counter[int | None]()
    rule.take(seen, _scores_so_far(reader, counted, rule.match, config.boards))
    state = rule.state(seen)
    text = rule.sentence(state)
    if state.decision is not None:
        text += " It counts when all games that come before it are settled."
    return Ending(None, sprt_row(rule.figures(state), text), not_needed)


def sequential_match(stop: Stop | None, *, by_version: bool = False) -> Sequential | None:
    """Return the match whose number of boards followed from its results, and what was decided.

    Bots are called by their names, or by their versions. H1 says that A is better if it is so by
    all that lies between the hypotheses; so with H0.
    """
    if stop is None or stop.kind != "sprt":
        return None
    versions = {name_of(version): version for version in stop.versions}
    names = stop.figures["a"], stop.figures["b"]
    a, b = (versions[name] if by_version else name for name in names)
    decision = stop.figures["decision"]
    above = None
    if decision == "H1" and stop.figures["elo0"] >= 0:
        above = (a, b)
    elif decision == "H0" and stop.figures["elo1"] <= 0:
        above = (b, a)
    return Sequential(a, b, above)


def _scores_so_far(
    reader: Reader, counted: CountedGames, match: Match, boards: int
) -> Iterator[int | None]:
    """Return how the first boards of a match came out, up to one that is not settled."""
    schedule = Schedule((match,), boards)
    schedule.settle(
        match,
        (
            stored_fate(game)
            for game in reader.settled(match)
            if counted.counts(GameId(match, game.board, game.seating))
        ),
    )
    for game in counted.listed_voids:
        schedule.settle(game.match, [(game.board, game.seating, Fate.VOID)])
    first = schedule.first_open()
    return schedule.scores(match, range(boards if first is None else first.board))
