"""The games of one job: which are open, what becomes of what the bots say, how many at once.

Pure: nothing here waits, reads a clock or knows a process. `JobLoop` does the waiting.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

from msgspec.structs import replace

from arena.protocol.messages import MAX_TABLES
from arena.referee.events import Ask, Cancelled, Finished, GameStarted, Inform
from arena.referee.record import GameRecord, GameResult, PackedRecord, Void
from arena.rules.base import Rules
from arena.runtime.job import Job
from arena.runtime.page import OVER, RUNNING, GameMarks
from arena.runtime.peer import PeerEvent
from arena.runtime.seat import Seat, Verdict
from arena.runtime.table import Table


class Tables:
    """Opens the games of a job one after the other and passes between seats and referees."""

    def __init__(
        self,
        job: Job,
        rules: Rules,
        seats: Sequence[Seat],
        marks: GameMarks,
        *,
        lag_ns: Callable[[], int],
    ) -> None:
        """Begin with every game of the job still to come; what becomes of them shows in `marks`.

        `lag_ns` tells by how much the arena was late so far.
        """
        self.records: list[GameResult | PackedRecord] = []
        """Packed, as long as games go on, so that memory stays in order."""
        self.voids: list[Void] = []
        self._wanted = 1 if job.tables is None or job.suspends else job.tables
        """Most games open at once, as far as the arena is concerned."""
        self._job = job
        self._rules = rules
        self._seats = seats
        self._marks = marks
        self._lag_ns = lag_ns
        self._coming = deque(enumerate(job.games))
        self._open: dict[Table, None] = {}

    @property
    def most(self) -> int:
        """Most games open at once."""
        return min(self._wanted, *(seat.peer.max_tables for seat in self._seats))

    @property
    def are_open(self) -> bool:
        """Whether a game is going on."""
        return bool(self._open)

    @property
    def are_full(self) -> bool:
        """Whether no game is to come, or as many are open as the arena wants."""
        return not self._coming or len(self._open) >= self._wanted

    @property
    def to_come(self) -> int:
        """How many games were not begun."""
        return len(self._coming)

    def open_more(self, may_begin: Callable[[], bool]) -> None:
        """Begin games while every bot was started, there is room and `may_begin` agrees."""
        while self._has_room and may_begin():
            place, game = self._coming.popleft()
            peers = [seat.peer for seat in self._seats]
            table = Table(game, place, self._rules, peers, begun_lag_ns=self._lag_ns())
            self._open[table] = None
            self._marks[place] = RUNNING
            self._tell(self._unpaid_start(table) or [(table, GameStarted())])

    @property
    def _has_room(self) -> bool:
        if self.are_full or len(self._open) >= self.most:
            return False
        return all(seat.settled for seat in self._seats)

    def void_unanswered(self, cause: str) -> None:
        """Break off every game of which a decision was sent and is not answered."""
        for seat in self._seats:
            for table in seat.excuse():
                self._break_off(table, cause)
                self.voids.append(Void(table.referee.game, cause))

    def give_up(self, cause: str) -> None:
        """Begin no more games, and drop the open ones as if they had not been begun."""
        self._coming.clear()
        for table in tuple(self._open):
            self._break_off(table, cause)

    def _unpaid_start(self, table: Table) -> list[Verdict]:
        """Return what a game pays for a bot without a process; seat 0 is judged first."""
        for seat in self._seats:
            if unpaid := seat.pay_for_start(table):
                return unpaid
        return []

    def hear(self, seat: Seat, event: PeerEvent) -> None:
        """Take in what came from a bot, and let everything follow from it."""
        stalls = seat.stalls
        self._tell(seat.take(event, has_games=self.are_open))
        if seat.stalls > stalls:
            self._wanted = max(1, self.most // 2)

    def _tell(self, verdicts: list[Verdict]) -> None:
        """Give the referees what is known and do what they want done."""
        pending = list(verdicts)
        for table, event in pending:  # it grows while it is walked through
            if table not in self._open:
                continue
            for effect in table.referee.handle(event):
                match effect:
                    case Ask():
                        if unpaid := self._seats[effect.seat].post(table, effect):
                            pending += unpaid
                    case Inform():
                        table.inform(effect)
                    case Finished(record):
                        self._finish(table, record)

    def _finish(self, table: Table, record: GameRecord | Void) -> None:
        self._close(table)
        if isinstance(record, Void):
            self.voids.append(record)
        else:
            self.records.append(self._job.kept(self._with_what_was_in_force(table, record)))
        if self._job.tables is None and self._wanted == 1 and not self._job.suspends:
            self._consider_many()

    def _with_what_was_in_force(self, table: Table, record: GameRecord) -> GameRecord:
        return replace(
            record,
            tables=self.most,
            isolation=self._job.isolation,
            pondering=self._job.pondering,
            cpu_us=tuple(seat.peer.take_cpu_us() for seat in self._seats),
            lag_us=(self._lag_ns() - table.begun_lag_ns) // 1000,
        )

    def _close(self, table: Table) -> None:
        del self._open[table]
        self._marks[table.place] = OVER

    def _break_off(self, table: Table, cause: str) -> None:
        self._close(table)
        for effect in table.referee.handle(Cancelled(cause)):
            if isinstance(effect, Inform):
                table.inform(effect)

    def _consider_many(self) -> None:
        """Open many games at once when no clock can suffer from it (contracts, 1)."""
        if all(seat.is_fast and seat.stalls == 0 for seat in self._seats):
            self._wanted = MAX_TABLES
