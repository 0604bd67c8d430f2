"""One game being judged: events in, effects out.

What may live here: the order of asking, the clocks' arithmetic, what a fault costs, the record.
What may not: sockets, processes, JSON, the time of day, any rule of any game.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import assert_never

from arena.errors import ArenaError
from arena.referee.clock import Clock, Limits
from arena.referee.events import (
    Ask,
    Cancelled,
    DeadlinePassed,
    Effect,
    Event,
    Finished,
    GameStarted,
    Inform,
    Replied,
    SeatLost,
)
from arena.referee.fault import Fault, illegal
from arena.referee.record import Forfeit, GameId, GameRecord, Target, Void
from arena.rules.base import Rules


class Referee:
    """Judges one game. `handle` takes what happened and says what to do next.

    A bot's misdeed ends in a forfeit, the arena's own in a void. Events that our own code must
    not send (an answer nobody was asked for or that cannot be late, a second start, anything
    after the end) raise `ArenaError`.
    """

    def __init__(
        self, game: GameId, rules: Rules, board_seed: bytes, limits: Sequence[Limits]
    ) -> None:
        """Prepare the game on its board; `limits` by seat."""
        self.game = game
        self._state = rules.start(board_seed)
        self._clocks = [Clock(one) for one in limits]
        self._seqs = [0] * rules.seats
        self._actions: list[str] = []
        self._times_us = array("q")
        self._notes: list[tuple[int, str]] = []
        self._asked: Ask | None = None
        self._over = False

    def handle(self, event: Event) -> tuple[Effect, ...]:
        """Take one event; return what the runtime has to do, in order."""
        if self._over:
            raise ArenaError(f"{self.game}: {type(event).__name__} after the end of the game")
        match event:
            case Replied():
                return self._judge(event)
            case GameStarted():
                return self._start()
            case DeadlinePassed(seat):
                if self._asked is None or self._asked.seat != seat:
                    raise ArenaError(f"{self.game}: seat {seat} owes no answer that can be late")
                return self._forfeit(seat, self._clocks[seat].timeout(self._seqs[seat]))
            case SeatLost(seat, fault):
                return self._forfeit(seat, fault)
            case Cancelled(cause):
                return self._end(Void(self.game, cause), Inform(self._state.points, None))
            case _:  # pragma: no cover
                assert_never(event)

    def _start(self) -> tuple[Effect, ...]:
        if self._asked is not None or self._state.to_act is None:
            raise ArenaError(f"{self.game}: started twice")
        return (self._ask(self._state.to_act),)

    def _ask(self, seat: int) -> Ask:
        self._asked = Ask(
            seat,
            self._seqs[seat],
            self._state.legal(),
            self._clocks[seat].budget_ms,
            self._state.view(seat),
        )
        return self._asked

    def _judge(self, reply: Replied) -> tuple[Effect, ...]:
        asked = self._asked
        seat = reply.seat
        if asked is None or asked.seat != seat or asked.seq != reply.seq:
            raise ArenaError(f"{self.game}: an answer to a decision that is not open: {reply}")
        clock = self._clocks[seat]
        if reply.elapsed_us > asked.budget_ms * 1000 and clock.overrun(reply.elapsed_us):
            return self._forfeit(seat, clock.timeout(reply.seq))
        if reply.action not in asked.legal:
            return self._forfeit(seat, illegal(reply.action, asked.seq, asked.legal))
        # The rules' own text, not the bot's: of so many games equal ones would fill the memory.
        action = asked.legal[asked.legal.index(reply.action)]
        self._clocks[seat] = clock.charge(reply.elapsed_us)
        self._seqs[seat] += 1
        if reply.note:
            self._notes.append((len(self._actions), reply.note))
        self._actions.append(action)
        self._times_us.append(reply.elapsed_us)
        self._state = self._state.apply(action)
        following = self._state.to_act
        return self._win() if following is None else (self._ask(following),)

    def _win(self) -> tuple[Effect, ...]:
        outcome = self._state.outcome
        if outcome is None:  # pragma: no cover - only given deals can run out
            raise ArenaError(f"{self.game}: nobody is to act, but the game is not over")
        record = self._record(outcome.points, outcome.winner, Target())
        return self._end(record, Inform(outcome.points, outcome.winner))

    def _forfeit(self, seat: int, fault: Fault) -> tuple[Effect, ...]:
        points = self._state.points
        winner = _best_other(points, seat)
        end = Forfeit(seat, fault.kind, fault.detail, fault.got)
        inform = Inform(points, winner, fault_seat=seat, fault=fault)
        return self._end(self._record(points, winner, end), inform)

    def _record(self, points: tuple[int, ...], winner: int, end: Target | Forfeit) -> GameRecord:
        deals = self._state.finished_deals()
        return GameRecord(
            self.game,
            points,
            winner,
            end,
            tuple(self._seqs),
            tuple(clock.spent_us for clock in self._clocks),
            dealers=tuple(deal.dealer for deal in deals),
            margins=tuple(deal.points[0] - deal.points[1] for deal in deals),
            actions=tuple(self._actions),
            times_us=tuple(self._times_us),
            notes=tuple(self._notes),
        )

    def _end(self, record: GameRecord | Void, inform: Inform) -> tuple[Effect, ...]:
        self._over = True
        return (inform, Finished(record))


def _best_other(points: tuple[int, ...], loser: int) -> int:
    """Return who wins a forfeited game: of the other seats the one with most points."""
    return max((seat for seat in range(len(points)) if seat != loser), key=lambda s: points[s])
