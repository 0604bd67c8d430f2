"""What two bots lost against each other by faults."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import groupby

from arena.referee.record import GameId
from arena.store.reader import Reader
from arena.tournament.schedule import SEATINGS, matches


def faults_between(
    reader: Reader, versions: tuple[str, str], counts: Callable[[GameId], bool]
) -> tuple[Counter[str], Counter[str]]:
    """Return how many games each lost by faults, by their kinds.

    Of the games that count, those of complete boards, as everything else that is shown.
    """
    ((match),) = matches(versions)
    found: dict[str, Counter[str]] = {version: Counter() for version in versions}
    for _, board in groupby(reader.settled(match), lambda game: game.board):
        ids = [(GameId(match, game.board, game.seating), game) for game in board]
        if len(ids) == SEATINGS and all(counts(number) for number, _ in ids):
            for number, game in ids:
                if game.fault_seat is not None:
                    found[number.seats[game.fault_seat]][str(game.fault)] += 1
    one, other = versions
    return found[one], found[other]
