"""Results from CSV: a header of ``a,b,winner``, maybe with ``board``, then a row for each game."""

from __future__ import annotations

import csv
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from arena.errors import UserError
from arena.ratings.scores import Cluster, MatchScore
from arena.text import count, did_you_mean
from arena.tools.rate.gathered import Gathered
from arena.tools.rate.limits import Limits
from arena.tools.rate.lines import Lines

DRAW = "draw"
_A, _B, _WINNER, _BOARD = "a", "b", "winner", "board"
_WON, _DRAWN, _LOST = 2, 1, 0
_HEADER = "the first line names the columns: a,b,winner or a,b,winner,board"


def gather_table(lines: Lines) -> Gathered:
    """Read all rows; raises `UserError` at the first that is not right."""
    rows = _Rows(lines)
    reading = _Reading(rows, next(iter(rows)))
    for row in rows:
        reading.take(row)
    scores = sorted(match.score(pair) for pair, match in reading.matches.items())
    return Gathered(tuple(scores), reading.games)


class _Rows:
    """Yields the rows of a CSV file, which may go over several lines."""

    def __init__(self, lines: Lines) -> None:
        self._lines = lines
        self._began = 0
        """Number of the line in which the last row began."""
        self._between = True
        self._rows = csv.reader(self._texts(), strict=True, skipinitialspace=True)

    def __iter__(self) -> Iterator[list[str]]:
        while True:
            self._between = True
            try:
                row = next(self._rows)
            except StopIteration:
                return
            except csv.Error as error:
                text = f"is no CSV: {error}; close every quote, and write one in quotes twice"
                raise self.wrong(text) from error
            yield row

    def wrong(self, text: str) -> UserError:
        """Return an error of the last row."""
        return self._lines.wrong(text, self._began)

    def _texts(self) -> Iterator[str]:
        for line in self._lines:
            if self._between:
                self._began = self._lines.number
                self._between = False
            try:
                text = line.decode()
            except UnicodeDecodeError as error:
                raise self._lines.wrong("is not UTF-8 text; save the file as UTF-8") from error
            text = text.rstrip("\r\n")
            if "\r" in text:
                raise self._lines.wrong("holds a carriage return; end each line with LF or CRLF")
            yield f"{text}\n"


class _Columns(NamedTuple):
    """Where in a row stands what."""

    a: int
    b: int
    winner: int
    board: int | None
    number: int

    @classmethod
    def of(cls, header: Sequence[str], rows: _Rows) -> _Columns:
        """Find the columns; others are passed over."""
        names = [name.strip().casefold() for name in header]
        for name in (_A, _B, _WINNER, _BOARD):
            if names.count(name) > 1:
                raise rows.wrong(f"there are {names.count(name)} columns named {name}")
        missing = [name for name in (_A, _B, _WINNER) if name not in names]
        if missing:
            hint = "; columns are separated by commas" if len(names) == 1 else ""
            raise rows.wrong(f"there is no column named {missing[0]}; {_HEADER}{hint}")
        board = names.index(_BOARD) if _BOARD in names else None
        a, b, winner = map(names.index, (_A, _B, _WINNER))
        return cls(a, b, winner, board, len(names))


class _Board(NamedTuple):
    """The games of a board, or one that stands alone."""

    games: int
    half_points: int
    """Of the first name."""
    drawn: int


_EMPTY = _Board(0, 0, 0)
_WON_BOTH, _SPLIT, _LOST_BOTH = (_Board(2, half_points, 0) for half_points in (4, 2, 0))


@lru_cache(maxsize=1_000)  # of many boards most are alike: these are one object
def _plus(board: _Board, half_points: int) -> _Board:
    """Return a board with another game."""
    drawn = board.drawn + (half_points == _DRAWN)
    return _Board(board.games + 1, board.half_points + half_points, drawn)


class _Match:
    """All rows of two names as they come in; a board may get rows until the end."""

    def __init__(self) -> None:
        self.boards: dict[str, _Board] = {}
        self._alone: Counter[_Board] = Counter()

    def add(self, half_points: int, board: str) -> None:
        """Add a game, on no board if `board` is empty."""
        if board:
            self.boards[board] = _plus(self.boards.get(board, _EMPTY), half_points)
        else:
            self._alone[_plus(_EMPTY, half_points)] += 1

    def score(self, pair: tuple[str, str]) -> MatchScore:
        """Return what was counted."""
        kinds = self._alone + Counter(self.boards.values())
        drawn = sum(board.drawn * number for board, number in kinds.items())
        won_both, split, lost_both = (kinds.pop(one, 0) for one in (_WON_BOTH, _SPLIT, _LOST_BOTH))
        others: Counter[Cluster] = Counter()
        for board, number in kinds.items():
            others[Cluster(board.games, board.half_points)] += number
        return MatchScore(
            *pair, won_both, split, lost_both, others=tuple(sorted(others.items())), drawn=drawn
        )


class _Reading:
    """Takes row by row."""

    def __init__(self, rows: _Rows, header: Sequence[str]) -> None:
        self.matches: defaultdict[tuple[str, str], _Match] = defaultdict(_Match)
        self.games = 0
        self._rows = rows
        self._columns = _Columns.of(header, rows)
        self._limits = Limits(rows.wrong)

    def take(self, row: Sequence[str]) -> None:
        """Count a game; raises `UserError` if it is none."""
        columns = self._columns
        if len(row) != columns.number:
            text = f"{count(len(row), 'value')}, but the first line names {columns.number} columns"
            raise self._rows.wrong(text)
        a, b, winner = (row[place].strip() for place in columns[:3])
        for name in (a, b):
            if not self._limits.knows(name):
                self._meet(name)
        if a == b:
            raise self._rows.wrong(f'"{a}" cannot play against itself: a and b are the same')
        scored = self._scored(a, b, winner)
        pair, scored = ((a, b), scored) if a < b else ((b, a), _WON - scored)
        match = self.matches[pair]
        board = "" if columns.board is None else row[columns.board].strip()
        if board and board not in match.boards:
            self._limits.open_board(board)
        match.add(scored, board)
        self.games += 1

    def _meet(self, name: str) -> None:
        if not name:
            raise self._rows.wrong("a name is missing; each game needs a, b and winner")
        if name == DRAW:
            text = f'a bot named "{DRAW}" cannot be told from a game without a winner; rename it'
            raise self._rows.wrong(text)
        self._limits.meet(name)

    def _scored(self, a: str, b: str, winner: str) -> int:
        """Return what `a` scored in half points."""
        if winner == a:
            return _WON
        if winner == b:
            return _LOST
        if winner == DRAW:
            return _DRAWN
        hint = did_you_mean(winner, (a, b, DRAW)) or f'the winner is one of the two, or "{DRAW}"'
        said = f'the winner "{winner}" did not play' if winner else "the winner is missing"
        raise self._rows.wrong(f"{said}; {hint}")
