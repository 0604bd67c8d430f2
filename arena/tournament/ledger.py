"""What is settled and what is to be played next: the half of a run that waits for nothing.

Schedule, voids and judging come together here. Pure: no clock, no file, no process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from arena.referee.record import Forfeit, GameId, GameResult, Void
from arena.store.rows import Decision, Match, Settled, Stop, Withdrawal
from arena.tournament.judging import Judge
from arena.tournament.schedule import Fate, Schedule
from arena.tournament.stops import StopRules
from arena.tournament.voids import Voids


class Ledger:
    """All games of the schedule: stored ones, those that jobs brought, those still to come."""

    def __init__(
        self,
        matches: Sequence[Match],
        boards: int,
        withdraw_after: int | None,
        rules: StopRules,
        *,
        played: Callable[[Match], Iterable[Settled]],
        voids: Iterable[Void],
        withdrawals: Iterable[Withdrawal],
        stops: Iterable[Stop],
    ) -> None:
        """Begin with what earlier runs stored; so many faults withdraw a bot, None: never."""
        self._schedule = Schedule(matches, boards)
        self._voids = Voids()
        self._alone: list[GameId] = []
        """Games that are to be played while nothing else is; the schedule has them in flight."""
        for match in matches:
            self._schedule.settle(match, map(stored_fate, played(match)))
        self._judge = Judge(
            self._schedule, withdraw_after, rules, withdrawals=withdrawals, stops=stops
        )
        self._take_voids(voids)

    @property
    def settled(self) -> int:
        """The number of scheduled games that are settled."""
        return self._schedule.settled

    @property
    def total(self) -> int:
        """The number of scheduled games."""
        return self._schedule.total

    @property
    def has_more(self) -> bool:
        """Whether a game is to be played that is not being played."""
        return bool(self._alone) or self._schedule.first_open() is not None

    @property
    def is_stopped(self) -> bool:
        """Whether the tournament ended before its last board, and no game counts any more.

        A stop of an earlier run stands when bots come in: their games before it are played out.
        """
        counting = self._judge.counting
        return counting.stop is not None and not (
            self.has_more
            or any(
                self._schedule.is_in_flight(match, counting.whole_boards(match))
                for match in self._schedule.matches
            )
        )

    def is_withdrawn(self, version: str) -> bool:
        """Whether a bot version plays no more, in this run and any other."""
        return self._judge.counting.is_withdrawn(version)

    def leave_out(self, version: str) -> None:
        """Offer no more games of a bot version in this run; its open games stay open."""
        self._schedule.leave_out(version)
        self._review_alone()

    # games out

    @property
    def next_is_alone(self) -> bool:
        """Whether the next game must be played while nothing else is."""
        return bool(self._alone)

    def take_alone(self) -> tuple[GameId, ...]:
        """Choose the game that must be played alone."""
        return tuple(self._alone[:1])

    def take_next(self, most: Callable[[Match], int]) -> tuple[GameId, ...]:
        """Choose the games of the next job, at most so many of their match; empty: none is open."""
        first = self._schedule.first_open()
        return () if first is None else self._schedule.take(most(first.match))

    # results in

    def was_alone(self, games: Sequence[GameId]) -> bool:
        """Whether the games of a job that came back were one game, played alone: its last try."""
        return len(games) == 1 and self._voids.is_alone(games[0])

    def release(self, games: Iterable[GameId]) -> None:
        """Open games again that came back unplayed, but not those that must be played alone."""
        self._schedule.release(game for game in games if not self._voids.is_alone(game))

    def take(
        self, games: Iterable[GameId], records: Iterable[GameResult], voids: Iterable[Void]
    ) -> None:
        """Take in what a job of these games brought; what it did not is open again."""
        for record in records:
            self._schedule.settle(record.id.match, [_fate_of(record)])
        self.release(games)
        self._take_voids(voids)

    def decide(self) -> tuple[Decision, ...]:
        """Withdraw bots and end it all as far as the settled games say so; return what is new."""
        decided = self._judge.advance()
        self._review_alone()
        return decided

    def _take_voids(self, voids: Iterable[Void]) -> None:
        """Count voids; a game that had its share of them is played alone, or not again."""
        for game in (void.id for void in voids if void.id in self._schedule):
            self._voids.add(game)
            if self._voids.is_listed(game):
                self._schedule.settle(game.match, [(game.board, game.seating, Fate.VOID)])
            elif self._voids.is_alone(game) and self._schedule.fate(game) == Fate.OPEN:
                self._schedule.hold(game)
                self._alone.append(game)

    def _review_alone(self) -> None:
        """Forget games to be played alone that are settled now, or whose bots play no more."""
        for game in self._alone:
            if self._schedule.is_left_out(game.match) or not self._judge.counting.counts(game):
                self._schedule.release([game])
        self._alone = [g for g in self._alone if self._schedule.fate(g) == Fate.IN_FLIGHT]


def stored_fate(game: Settled) -> tuple[int, int, Fate]:
    """Return what the schedule is told of a stored game."""
    return game.board, game.seating, Fate.of(game.winner, game.fault_seat, game.fault)


def _fate_of(record: GameResult) -> tuple[int, int, Fate]:
    """Return what the schedule is told of a game that came in."""
    end = record.end
    fault = (end.seat, end.fault) if isinstance(end, Forfeit) else (None, None)
    return record.id.board, record.id.seating, Fate.of(record.winner, *fault)
