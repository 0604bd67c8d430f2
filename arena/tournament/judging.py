"""Who is withdrawn and what ends the tournament, by what became of the games (contracts, 2).

Judging goes along the completed prefix of the schedule's order and looks at nothing but what
became of its games. So the number of workers and tables, the order of finishing and resumes change
nothing. Pure: no clock, no file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from arena.referee.record import GameId
from arena.runtime.executor import FAILED_STARTS
from arena.store.rows import Decision, Match, Stop, Withdrawal
from arena.tournament.counting import Counting, standing_stop
from arena.tournament.schedule import SEATINGS, Fate, Schedule, is_whole
from arena.tournament.stops import StopRules, match_score


class Judge:
    """Follows the completed prefix and says what is decided on the way."""

    def __init__(
        self,
        schedule: Schedule,
        withdraw_after: int | None,
        rules: StopRules,
        *,
        withdrawals: Iterable[Withdrawal],
        stops: Iterable[Stop],
    ) -> None:
        """Begin before the first game; what was decided in earlier runs stands.

        So many faults withdraw a bot; None: no number does.
        """
        self._schedule = schedule
        self._withdraw_after = withdraw_after
        self._rules = rules
        self._field = tuple(dict.fromkeys(v for match in schedule.matches for v in match))
        self.counting = Counting()
        """Who is withdrawn by now, and whether the tournament is over."""
        for withdrawal in withdrawals:
            self._withdraw(withdrawal)
        stop = standing_stop(stops, self._field, schedule.boards)
        if stop is not None:
            self._end(stop)
        self._faults: Counter[str] = Counter()
        self._failed_starts: Counter[str] = Counter()
        """In a row, by version."""
        self._passed: set[Match] = set()
        """Matches with a game that nobody waits for: a bot of it takes no part in this run."""
        self._scores: dict[Match, Counter[int | None]] = {
            match: Counter() for match in schedule.matches
        }
        """How many boards came out how, up to where the rules for stops have looked."""
        self._walk = self._judge_all()

    def advance(self) -> tuple[Decision, ...]:
        """Go on as far as games are settled; return what is decided from there on."""
        found: list[Decision] = []
        for decision in self._walk:
            if decision is None:
                break
            found.append(decision)
        return tuple(found)

    # along the order; each step yields what it decides, and None while it must wait

    def _judge_all(self) -> Iterator[Decision | None]:
        for block in self._schedule.blocks():
            for match in self._schedule.matches:
                yield from self._judge_piece(match, block)
            yield from self._end_block(block)

    def _judge_piece(self, match: Match, block: range) -> Iterator[Decision | None]:
        """Judge the boards of a block that a match has, all at once where no game needs a look."""
        boards = range(block.start, min(block.stop, self.counting.boards_needed(match)))
        if self._schedule.is_all_played(match, boards) and self._all_count(match, boards):
            for version in match:
                self._failed_starts[version] = 0
            yield from self._look_at_boards(match, boards)
            return
        for board in boards:
            for seating in range(SEATINGS):
                yield from self._judge_game(GameId(match, board, seating))
            yield from self._look_at_boards(match, range(board, board + 1))

    def _judge_game(self, game: GameId) -> Iterator[Decision | None]:
        while self.counting.counts(game):
            fate = self._schedule.fate(game)
            if fate.is_settled:
                yield from self._judge_fate(game, fate)
                return
            if self._schedule.is_left_out(game.match):
                self._passed.add(game.match)
                return
            yield None

    def _judge_fate(self, game: GameId, fate: Fate) -> Iterator[Withdrawal]:
        seat = fate.fault_seat
        failed_start = fate in (Fate.NO_START_0, Fate.NO_START_1)
        for version in game.seats:
            if seat is not None and version == game.seats[seat]:
                self._faults[version] += 1
                self._failed_starts[version] = (
                    self._failed_starts[version] + 1 if failed_start else 0
                )
                reason = self._reason(version)
                if reason is not None and not self.counting.is_withdrawn(version):
                    yield self._withdraw(Withdrawal(version, game, reason))
            elif fate.is_played or (seat is not None and not failed_start):
                self._failed_starts[version] = 0  # it was there, else it would have lost

    def _reason(self, version: str) -> str | None:
        """Say why a version is withdrawn now; None if it is not."""
        if self._withdraw_after is not None and self._faults[version] >= self._withdraw_after:
            return f"{self._faults[version]} faults (faults.withdraw_after)"
        if self._failed_starts[version] >= FAILED_STARTS:
            return f"{FAILED_STARTS} failed starts in a row"
        return None

    # stops

    def _look_at_boards(self, match: Match, boards: range) -> Iterator[Stop]:
        """See after each board whether an SPRT of its match is decided."""
        rule = self._rules.sprt
        if rule is None or rule.match != match or self.counting.stop or match in self._passed:
            return
        whole = range(boards.start, min(boards.stop, self.counting.whole_boards(match)))
        scores = self._scores[match]
        place = rule.take(scores, self._schedule.scores(match, whole))
        if place is not None:
            game = GameId(match, whole[place], SEATINGS - 1)
            yield self._end(rule.stop(rule.state(scores), game))

    def _end_block(self, block: range) -> Iterator[Stop]:
        """See after a whole block whether the ratings of all that play are known well enough."""
        rule = self._rules.error
        if rule is None or self.counting.stop or self._passed or not is_whole(block):
            return
        sprt = self._rules.sprt
        for match in self._schedule.matches:
            if sprt is None or sprt.match != match:  # else they are counted board by board
                whole = range(block.start, min(block.stop, self.counting.whole_boards(match)))
                self._scores[match].update(self._schedule.scores(match, whole))
        last = GameId(self._schedule.matches[-1], block.stop - 1, SEATINGS - 1)
        stop = rule.stop(
            [match_score(match, scores) for match, scores in self._scores.items()],
            # A resume knows already who is withdrawn further on.
            [version for version in self._field if self.counting.plays_after(version, last)],
            self._field,
            last,
        )
        if stop is not None:
            yield self._end(stop)

    def _all_count(self, match: Match, boards: range) -> bool:
        return boards.stop <= self.counting.whole_boards(match)

    def _end(self, stop: Stop) -> Stop:
        self.counting.end(stop)
        for match in self._schedule.matches:
            self._schedule.drop(match, self.counting.boards_needed(match))
        return stop

    def _withdraw(self, withdrawal: Withdrawal) -> Withdrawal:
        self.counting.withdraw(withdrawal)
        self._schedule.withdraw(withdrawal.version)
        return withdrawal
