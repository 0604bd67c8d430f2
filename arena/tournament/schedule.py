"""Which games a tournament has, in which order they are played, and what is to be played next.

Tournaments are for variants with two seats: a match is two bots, and its board has two games. For
other variants it would have to be said first who meets whom and in which seatings.

Pure: no clock, no file, no process. `Schedule` is the one mutable thing, because a job must be
found among millions of games without listing them: it keeps one byte for each game.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from heapq import heappop, heappush
from itertools import combinations, product

from arena.referee.record import GameId, name_of
from arena.store.rows import Match

SEATS = 2
"""What a variant must have."""
SEATINGS = 2
"""Every board is played in this many seatings."""
LARGEST_BLOCK = 512
"""Boards in a block, once blocks have grown."""

OrderKey = tuple[int, tuple[str, ...], int, int]
"""Where a game stands in the order; the same whoever else takes part and for any more boards."""


class Fate(IntEnum):
    """What has become of a game of the schedule."""

    OPEN = 0
    IN_FLIGHT = 1
    VOID = 2
    """For good: it is not played again."""
    DROPPED = 3
    """Not to be played: a bot of it is withdrawn, or the tournament ended before it."""
    WON_0 = 4
    """Played to its end and won by seat 0."""
    WON_1 = 5
    FAULT_0 = 6
    """Lost by a fault of seat 0."""
    FAULT_1 = 7
    NO_START_0 = 8
    """Lost because the bot of seat 0 could not be started."""
    NO_START_1 = 9

    @classmethod
    def of(cls, winner: int, fault_seat: int | None, fault: str | None) -> Fate:
        """Return the fate of a finished game that was lost by such a fault, or by none."""
        if fault_seat is None:
            return cls(cls.WON_0 + winner)
        return cls((cls.NO_START_0 if fault == "no_start" else cls.FAULT_0) + fault_seat)

    @property
    def is_settled(self) -> bool:
        """Whether nothing more will become of it."""
        return self > Fate.IN_FLIGHT

    @property
    def fault_seat(self) -> int | None:
        """The seat that lost it by a fault."""
        return (self - Fate.FAULT_0) % SEATS if self >= Fate.FAULT_0 else None

    @property
    def is_played(self) -> bool:
        """Whether it was played to its end."""
        return self in (Fate.WON_0, Fate.WON_1)

    @property
    def winner(self) -> int | None:
        """The seat that won it, also by the other one's fault; None if nobody did."""
        if self.is_played:
            return self - Fate.WON_0
        return None if self.fault_seat is None else (self.fault_seat + 1) % SEATS


def blocks(boards: int) -> Iterator[range]:
    """Cut the boards of a match into blocks of 1, 1, 2, 4, ... 512, 512, ... (contracts, 2)."""
    start = 0
    while start < boards:
        stop = min(start + _block_size(start), boards)
        yield range(start, stop)
        start = stop


def is_whole(block: range) -> bool:
    """Whether a block is not cut by the number of boards."""
    return len(block) == _block_size(block.start)


def _block_size(start: int) -> int:
    """How large the block is that begins at board `start`: blocks double until they are full."""
    return min(max(start, 1), LARGEST_BLOCK)


def _block_start(board: int) -> int:
    """Return the first board of the block that `board` lies in."""
    if board < LARGEST_BLOCK:
        return 1 << (board.bit_length() - 1) if board else 0
    return board - board % LARGEST_BLOCK


def boards_until(last: OrderKey, match: Match) -> int:
    """Return how many boards of a match lie wholly before or at a place of the order."""
    start, names, board, seating = last
    own = tuple(map(name_of, match))
    if own == names:
        return board + (seating == SEATINGS - 1)
    return start + _block_size(start) if own < names else start


def order_key(game: GameId) -> OrderKey:
    """Return what sorts games into the order of the schedule (contracts, 2)."""
    names = tuple(map(name_of, game.match))
    return _block_start(game.board), names, game.board, game.seating


def matches(versions: Iterable[str]) -> tuple[Match, ...]:
    """Pair each bot version with each other one, all in order of names by code points."""
    return tuple(combinations(sorted(versions, key=name_of), SEATS))


def number_of_matches(bots: int) -> int:
    """Count the matches of so many bots."""
    return math.comb(bots, SEATS)


def number_of_games(bots: int, boards: int) -> int:
    """Count the games of the schedule of so many bots and boards of each match."""
    return number_of_matches(bots) * boards * SEATINGS


def _score(*fates: Fate) -> int | None:
    winners = [fate.winner for fate in fates]
    return None if None in winners else sum(seat == won for seat, won in enumerate(winners))


_SCORES: Mapping[tuple[int, int], int | None] = {
    (first, second): _score(first, second) for first, second in product(Fate, Fate)
}
"""What the fates of a board's two games come to: the games that the match's first bot won."""


class _Lane:
    """The fates of all boards of one match in one seating."""

    def __init__(self, boards: int) -> None:
        self.fates = bytearray(boards)
        self.first_open = 0
        """The first open board; the number of boards if none is open."""

    def set(self, board: int, fate: Fate) -> bool:
        """Change a board's fate unless it is settled; return whether it was changed."""
        if self.fates[board] > Fate.IN_FLIGHT:
            return False
        self.fates[board] = fate
        if fate == Fate.OPEN:
            self.first_open = min(self.first_open, board)
        elif board == self.first_open:
            found = self.fates.find(Fate.OPEN, board)
            self.first_open = len(self.fates) if found < 0 else found
        return True

    def drop(self, first: int) -> int:
        """Settle all open boards from `first` on as not to be played; return their number."""
        rest = self.fates[first:]
        self.fates[first:] = rest.replace(bytes([Fate.OPEN]), bytes([Fate.DROPPED]))
        if self.first_open >= first:
            self.first_open = len(self.fates)
        return rest.count(Fate.OPEN)

    def open_run(self, most: int) -> range:
        """Return the run of open boards that begins with the first open one."""
        start = self.first_open
        stop = min(start + most, len(self.fates))
        for board in range(start, stop):
            if self.fates[board] != Fate.OPEN:
                return range(start, board)
        return range(start, stop)


class Schedule:
    """What of the games is open, in flight and settled, and what is to be played next.

    A settled game stays settled; a board number outside the schedule is ignored, so that `boards`
    may be lowered over stored games.
    """

    def __init__(self, all_matches: Sequence[Match], boards: int) -> None:
        """Begin with all games of `all_matches` open."""
        self.boards = boards
        """Of each match."""
        self._lanes = {
            (match, seating): _Lane(boards) for match in all_matches for seating in range(SEATINGS)
        }
        self._numbers = {match: number for number, match in enumerate(all_matches)}
        self._changed = set(self._lanes)
        """Lanes whose first open game may be another one than `_firsts` knows."""
        self._firsts: list[tuple[int, int, int, int, Match]] = []
        """A heap of first open games, in the order; most are those of a lane no more."""
        self._left_out: set[Match] = set()
        self._dropped: dict[Match, int] = {}
        """From which board on the games of a match are not to be played."""
        self.settled = 0
        """The number of scheduled games that are settled."""

    @property
    def total(self) -> int:
        """The number of scheduled games."""
        return len(self._lanes) * self.boards

    def first_open(self) -> GameId | None:
        """Return the first game of the order that is neither settled nor in flight."""
        while self._changed:
            match, seating = self._changed.pop()
            board = self._lanes[match, seating].first_open
            if board < self.boards:
                place = (_block_start(board), self._numbers[match], board, seating, match)
                heappush(self._firsts, place)
        while self._firsts:
            _, _, board, seating, match = self._firsts[0]
            is_still = self._lanes[match, seating].first_open == board
            if is_still and match not in self._left_out:
                return GameId(match, board, seating)
            heappop(self._firsts)
        return None

    def take(self, most: int) -> tuple[GameId, ...]:
        """Choose the games of the next job and hold them in flight; empty: nothing is open.

        The first open game fixes match and seating; with it go the open boards that follow it
        without a gap, at most `most` games in all (blocks may be crossed).
        """
        first = self.first_open()
        if first is None:
            return ()
        lane = self._lanes[first.match, first.seating]
        chosen = tuple(GameId(first.match, board, first.seating) for board in lane.open_run(most))
        for game in chosen:
            lane.set(game.board, Fate.IN_FLIGHT)
        self._changed.add((first.match, first.seating))
        return chosen

    def is_in_flight(self, match: Match, boards: int) -> bool:
        """Whether a game on the first so many boards of a match is in flight."""
        lanes = (self._lanes[match, seating].fates for seating in range(SEATINGS))
        return any(fates.find(Fate.IN_FLIGHT, 0, boards) >= 0 for fates in lanes)

    def hold(self, game: GameId) -> None:
        """Offer an open game no more, as if it were in flight."""
        self._set(game.match, game.board, game.seating, Fate.IN_FLIGHT)

    def settle(self, match: Match, fates: Iterable[tuple[int, int, Fate]]) -> None:
        """Take in what became of games of a match, given as (board, seating, fate)."""
        for board, seating, fate in fates:
            self.settled += self._set(match, board, seating, fate)

    def release(self, unplayed: Iterable[GameId]) -> None:
        """Open games again that came back from a job unplayed."""
        for game in unplayed:
            if game.board >= self._dropped.get(game.match, self.boards):
                self.settle(game.match, [(game.board, game.seating, Fate.DROPPED)])
            else:
                self._set(game.match, game.board, game.seating, Fate.OPEN)

    def leave_out(self, version: str) -> None:
        """Offer no more games of a bot version in this run; its open games stay open."""
        self._left_out.update(match for match in self._numbers if version in match)

    def withdraw(self, version: str) -> None:
        """Settle all open games of a bot version as not to be played; those in flight may end."""
        for match in self._numbers:
            if version in match:
                self.drop(match, 0)

    def drop(self, match: Match, first: int) -> None:
        """Settle open games of a match from a board on as not to be played."""
        if first < self._dropped.get(match, self.boards):
            self._dropped[match] = first
            self.settled += sum(
                self._lanes[match, seating].drop(first) for seating in range(SEATINGS)
            )

    # what judging looks at

    @property
    def matches(self) -> tuple[Match, ...]:
        """All matches, in their order."""
        return tuple(self._numbers)

    def blocks(self) -> Iterator[range]:
        """Cut the boards of each match into blocks."""
        return blocks(self.boards)

    def is_all_played(self, match: Match, boards: range) -> bool:
        """Whether all games of a match on these boards were played to their end."""
        lanes = [self._lanes[match, seating].fates for seating in range(SEATINGS)]
        return all(
            sum(fates.count(fate, boards.start, boards.stop) for fate in (Fate.WON_0, Fate.WON_1))
            == len(boards)
            for fates in lanes
        )

    def scores(self, match: Match, boards: range) -> Iterator[int | None]:
        """Yield how many games its first bot won of each board; None: not all its games have ended.

        The bots change seats from the first to the second game of a board.
        """
        first, second = (
            self._lanes[match, seating].fates[boards.start : boards.stop]
            for seating in range(SEATINGS)
        )
        return map(_SCORES.__getitem__, zip(first, second, strict=True))

    def __contains__(self, game: GameId) -> bool:
        """Whether a game belongs to the schedule."""
        return (game.match, game.seating) in self._lanes and game.board < self.boards

    def fate(self, game: GameId) -> Fate:
        """Return what has become of a game of the schedule."""
        return Fate(self._lanes[game.match, game.seating].fates[game.board])

    def is_left_out(self, match: Match) -> bool:
        """Whether a bot of a match does not take part in this run."""
        return match in self._left_out

    def _set(self, match: Match, board: int, seating: int, fate: Fate) -> bool:
        lane = self._lanes.get((match, seating))
        if lane is None or board >= self.boards:
            return False
        self._changed.add((match, seating))
        return lane.set(board, fate)
