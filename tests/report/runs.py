"""Games, standings and clocks for tests of what is told of a run. Helpers only, no test."""

from __future__ import annotations

from arena.ratings.rate import rate
from arena.ratings.scores import MatchScore
from arena.referee.record import Forfeit, GameId, GameRecord, Target
from arena.report.circumstances import Circumstances
from arena.report.standings import Progress, Standings, Tally

MATCH = ("a@1", "b@2")


class Clock:
    """Seconds that go by when the test says so."""

    def __init__(self) -> None:
        self.now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


def won(board: int = 0) -> GameRecord:
    """Seat 0 wins."""
    return GameRecord(GameId(MATCH, board, 0), (10, 7), 0, Target(), actions=("pass",))


def lost(
    kind: str, board: int = 0, *, loser: str = "b@2", detail: str = "so it was", got: str = ""
) -> GameRecord:
    """`loser` lost by a fault; seating 1."""
    game = GameId(MATCH, board, 1)
    seat = game.seats.index(loser)
    return GameRecord(game, (0, 0), 1 - seat, Forfeit(seat, kind, detail, got))


def standings(*bots: str) -> Standings:
    """Every bot has met the first one on ten boards."""
    scores = [MatchScore(bots[0], bot, 4, 4, 2) for bot in bots[1:]]
    return Standings(
        Progress(
            "autumn",
            complete=False,
            games=20,
            scheduled=60,
            void=0,
            dropped=0,
            commitment="ab" * 32,
            closed=False,
        ),
        tuple(Tally(bot, f"{bot}@1", {}, 1.5, 0.5, None) for bot in bots),
        tuple(scores),
        rate(scores, bots),
        Circumstances(),
    )
