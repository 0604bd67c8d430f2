"""Reading results, also while another process writes them. Nothing here changes the file."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

import msgspec

from arena.errors import UserError
from arena.referee.record import GameId, GameResult, Void
from arena.store.files import FILE_NAME, explained, open_to_look, open_to_read
from arena.store.rows import (
    BotVersion,
    Inspection,
    Match,
    Result,
    Settled,
    Stop,
    Tournament,
    Withdrawal,
    deals_of,
    game_of,
    match_key,
    match_of,
    numbers,
)

_RECORDS = """
    SELECT board, seating, winner, points, fault_seat, fault, detail, got, decisions, spent_us,
        tables, isolation, pondering, cpu_us, lag_us, deals, actions, times_us, notes
    FROM games LEFT JOIN plays USING (match, board, seating)
    WHERE match = ? AND board BETWEEN ? AND ? ORDER BY board, seating
"""
_RESULTS = """
    SELECT board, seating, winner, fault_seat, fault, decisions, spent_us, isolation, pondering,
        cpu_us, lag_us, deals
    FROM games WHERE match = ? ORDER BY board, seating
"""
_SAME = """
    SELECT board, first.actions = second.actions AND NOT EXISTS (
        SELECT * FROM games
        WHERE games.match = first.match AND games.board = first.board AND fault IS NOT NULL)
    FROM plays AS first JOIN plays AS second USING (match, board)
    WHERE match = ? AND first.seating = 0 AND second.seating = 1 ORDER BY board
"""
_ALL_BOARDS = range(2**63)


class Reader:
    """The results of one tournament, read-only; a context manager that closes the file."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        """Read from an open connection to `path`."""
        self._path = path
        self._connection = connection

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Open the results in `folder`, needing no lock; `UserError` if there are none."""
        path = _existing(folder)
        return cls(path, open_to_read(path))

    @classmethod
    def peek(cls, folder: Path, *, still: bool) -> Self:
        """Open results for a quick look; if they are `still`, nobody writes them meanwhile.

        Pages are not checked, so it is not for what must be right. Reading still results leaves
        no trace beside them.
        """
        path = _existing(folder)
        return cls(path, open_to_look(path, still=still))

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def steady(self) -> Iterator[None]:
        """See the results as they are at the first look, whatever is written meanwhile."""
        with explained(self._path):
            self._connection.execute("BEGIN")
            try:
                yield
            finally:
                self._connection.execute("ROLLBACK")  # there is nothing to keep

    def tournament(self) -> Tournament | None:
        """Whose results these are; None before the first run has begun."""
        sql = "SELECT config_path, name, conditions, secret, drawn, revealed FROM tournament"
        with explained(self._path):
            for path, name, conditions, secret, *marks in self._rows(sql):
                drawn, revealed = map(bool, marks)
                known = msgspec.json.decode(conditions)
                return Tournament(path, name, known, secret, drawn, revealed)
        return None

    def bots(self) -> tuple[BotVersion, ...]:
        """All versions in order of entering."""
        sql = "SELECT name, number, hash, spec, current FROM bots ORDER BY entered"
        with explained(self._path):
            return tuple(map(_version_of, self._rows(sql)))

    def matches(self) -> tuple[Match, ...]:
        """All matches that have or had games, in no particular order."""
        return tuple(match_of(key) for (key,) in self._rows("SELECT versions FROM matches"))

    def games_of(self, match: Match, boards: int) -> int:
        """How many games are stored of the first `boards` boards of a match."""
        sql = "SELECT count(*) FROM games WHERE match = ? AND board < ?"
        ((games,),) = self._rows(sql, self._match_id(match), boards)
        return int(games)

    def settled(self, match: Match) -> Iterator[Settled]:
        """Each stored game of a match, by board and seating."""
        sql = "SELECT board, seating, winner, fault_seat, fault FROM games WHERE match = ?"
        sql += " ORDER BY board, seating"
        return map(Settled._make, self._rows(sql, self._match_id(match)))

    def results(self, match: Match) -> Iterator[Result]:
        """How each game of a match came out, by board and seating."""
        rows = self._rows(_RESULTS, self._match_id(match))
        with explained(self._path):
            for board, seating, winner, seat, fault, decisions, spent, *more in rows:
                isolation, pondering, cpu, lag_us, deals = more
                yield Result(
                    GameId(match, board, seating),
                    winner,
                    None if seat is None else (seat, fault),
                    numbers(decisions),
                    numbers(spent),
                    isolation,
                    pondering,
                    numbers(cpu),
                    lag_us,
                    *deals_of(deals),
                )

    def records(self, match: Match, boards: range = _ALL_BOARDS) -> Iterator[GameResult]:
        """All games of a match on these boards, by board and seating, one at a time.

        They are `GameRecord`s, but for those that were stored without their actions.
        """
        first, last = boards.start, boards.stop - 1
        rows = self._rows(_RECORDS, self._match_id(match), first, last)
        with explained(self._path):
            for row in rows:
                yield game_of(match, row[:-3], row[-3:])

    def sameness(self, match: Match) -> Iterator[tuple[int, bool]]:
        """Each board of a match with both games, and whether these are the same.

        They are if both were played to their end by the same actions.
        """
        rows = self._rows(_SAME, self._match_id(match))
        return ((board, bool(same)) for board, same in rows)

    def voids(self) -> tuple[Void, ...]:
        """All voids in the order in which they happened; a game may have several."""
        sql = (
            "SELECT versions, board, seating, cause FROM voids JOIN matches ON matches.id = match"
            " ORDER BY voids.id"
        )
        return tuple(
            Void(GameId(match_of(key), board, seating), cause)
            for key, board, seating, cause in self._rows(sql)
        )

    def withdrawals(self) -> tuple[Withdrawal, ...]:
        """All bot versions that were withdrawn for good, in the order of their versions."""
        sql = (
            "SELECT version, versions, board, seating, reason FROM withdrawals"
            " JOIN matches ON matches.id = match ORDER BY version"
        )
        return tuple(
            Withdrawal(version, GameId(match_of(key), board, seating), reason)
            for version, key, board, seating, reason in self._rows(sql)
        )

    def stops(self) -> tuple[Stop, ...]:
        """All that ever ended this tournament before its last board, in that order."""
        sql = (
            "SELECT kind, bots, versions, board, seating, reason, figures FROM stops"
            " JOIN matches ON matches.id = match ORDER BY stops.id"
        )
        return tuple(
            msgspec.convert(
                {
                    "kind": kind,
                    "versions": msgspec.json.decode(bots),
                    "game": GameId(match_of(key), board, seating),
                    "reason": reason,
                    "figures": msgspec.json.decode(figures),
                },
                Stop,
            )
            for kind, bots, key, board, seating, reason, figures in self._rows(sql)
        )

    def left_out(self) -> dict[str, str]:
        """Bot versions that the last run could not start and left out, and why."""
        return dict(self._rows("SELECT version, detail FROM left_out ORDER BY version"))

    def inspections(self) -> tuple[Inspection, ...]:
        """Each look of a run at its machine, in the order of the runs."""
        sql = "SELECT time, isolation, digest, findings FROM inspections ORDER BY id"
        return tuple(
            Inspection(
                time, level, digest, msgspec.json.decode(text, type=tuple[dict[str, Any], ...])
            )
            for time, level, digest, text in self._rows(sql)
        )

    def _stored(self, match: Match, first: int, last: int) -> Iterator[GameId]:
        """Yield the stored games of a match from one board to another, both included."""
        sql = "SELECT board, seating FROM games WHERE match = ? AND board BETWEEN ? AND ?"
        for board, seating in self._rows(sql, self._match_id(match), first, last):
            yield GameId(match, board, seating)

    def _match_id(self, match: Match) -> int | None:
        sql = "SELECT id FROM matches WHERE versions = ?"
        return next((row[0] for row in self._rows(sql, match_key(match))), None)

    def _rows(self, sql: str, *values: object) -> Iterator[Any]:
        with explained(self._path):
            # Not `yield from`: left half read, that would close its cursor after the file.
            for row in self._connection.execute(sql, values):  # noqa: UP028
                yield row


def _version_of(row: tuple[Any, ...]) -> BotVersion:
    """Read a row of `bots`, checking its types: all else is found by its names."""
    values = dict(zip(BotVersion.__struct_fields__, row, strict=True))
    values |= {"spec": msgspec.json.decode(values["spec"]), "current": bool(values["current"])}
    return msgspec.convert(values, BotVersion)


def _existing(folder: Path) -> Path:
    path = folder / FILE_NAME
    if not path.exists():
        raise UserError(f"no results in {folder}: run the tournament first")
    return path
