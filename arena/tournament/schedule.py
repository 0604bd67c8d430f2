"""Which games a tournament has, in which order they are played, and what is to be played next.

Tournaments are for variants with two seats: a match is two bots, and its board has two games. For
other variants it would have to be said first who meets whom and in which seatings.

Pure: no clock, no file, no process. `Schedule` is the one mutable thing, because a job must be
found among millions of games without listing them: it keeps one byte for each game.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from arena.referee.record import GameId, name_of
from arena.store.rows import Match

SEATS = 2
"""What a variant must have."""
SEATINGS = 2
"""Every board is played in this many seatings."""
LARGEST_BLOCK = 512
"""Boards in a block, once blocks have grown."""

_OPEN, _IN_FLIGHT, _SETTLED = range(3)


def blocks(boards: int) -> Iterator[range]:
    """Cut the boards of a match into blocks of 1, 1, 2, 4, ... 512, 512, ... (contracts, 2)."""
    start = 0
    while start < boards:
        stop = min(start + _block_size(start), boards)
        yield range(start, stop)
        start = stop


def _block_size(start: int) -> int:
    """How large the block is that begins at board `start`: blocks double until they are full."""
    return min(max(start, 1), LARGEST_BLOCK)


def _block_start(board: int) -> int:
    """Return the first board of the block that `board` lies in."""
    if board < LARGEST_BLOCK:
        return 1 << (board.bit_length() - 1) if board else 0
    return board - board % LARGEST_BLOCK


def matches(versions: Iterable[str]) -> tuple[Match, ...]:
    """Pair each bot version with each other one, all in order of names by code points."""
    return tuple(combinations(sorted(versions, key=name_of), SEATS))


def number_of_matches(bots: int) -> int:
    """Count the matches of so many bots."""
    return math.comb(bots, SEATS)


def number_of_games(bots: int, boards: int) -> int:
    """Count the games of the schedule of so many bots and boards of each match."""
    return number_of_matches(bots) * boards * SEATINGS


class _Lane:
    """All boards of one match in one seating, each open, in flight or settled."""

    def __init__(self, boards: int) -> None:
        self._boards = bytearray(boards)
        self.first_open = 0
        """The first open board; the number of boards if none is open."""

    def set(self, board: int, state: int) -> bool:
        """Change a board's state unless it is settled; return whether it was changed."""
        if self._boards[board] == _SETTLED:
            return False
        self._boards[board] = state
        if state == _OPEN:
            self.first_open = min(self.first_open, board)
        elif board == self.first_open:
            found = self._boards.find(_OPEN, board)
            self.first_open = len(self._boards) if found < 0 else found
        return True

    def open_run(self, most: int) -> range:
        """Return the run of open boards that begins with the first open one."""
        start = self.first_open
        stop = min(start + most, len(self._boards))
        for board in range(start, stop):
            if self._boards[board] != _OPEN:
                return range(start, board)
        return range(start, stop)


class Schedule:
    """What of the games is open, in flight and settled, and what is to be played next.

    A settled game stays settled; a board number outside the schedule is ignored, so that `boards`
    may be lowered over stored games.
    """

    def __init__(self, all_matches: Sequence[Match], boards: int) -> None:
        """Begin with all games of `all_matches` open."""
        self._boards = boards
        self._lanes = {
            (match, seating): _Lane(boards) for match in all_matches for seating in range(SEATINGS)
        }
        self._numbers = {match: number for number, match in enumerate(all_matches)}
        self._left_out: set[Match] = set()
        self.settled = 0
        """The number of scheduled games that are settled."""

    @property
    def total(self) -> int:
        """The number of scheduled games."""
        return len(self._lanes) * self._boards

    def first_open(self) -> GameId | None:
        """Return the first game of the order that is neither settled nor in flight."""
        firsts = [
            (_block_start(lane.first_open), self._numbers[match], lane.first_open, seating, match)
            for (match, seating), lane in self._lanes.items()
            if lane.first_open < self._boards and match not in self._left_out
        ]
        if not firsts:
            return None
        _, _, board, seating, match = min(firsts)
        return GameId(match, board, seating)

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
            lane.set(game.board, _IN_FLIGHT)
        return chosen

    def settle(self, match: Match, played: Iterable[tuple[int, int]]) -> None:
        """Mark games of a match, given as (board, seating), as settled."""
        for board, seating in played:
            self.settled += self._set(match, board, seating, _SETTLED)

    def release(self, unplayed: Iterable[GameId]) -> None:
        """Open games again that came back from a job unplayed."""
        for game in unplayed:
            self._set(game.match, game.board, game.seating, _OPEN)

    def leave_out(self, version: str) -> None:
        """Offer no more games of a bot version in this run; its open games stay open."""
        self._left_out.update(match for match in self._numbers if version in match)

    def _set(self, match: Match, board: int, seating: int, state: int) -> bool:
        lane = self._lanes.get((match, seating))
        return lane is not None and board < self._boards and lane.set(board, state)
