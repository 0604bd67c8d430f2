"""The one writer of a tournament's results."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from arena.errors import ArenaError
from arena.referee.record import GameId, GameResult, Void
from arena.store.files import FILE_NAME, explained, open_to_write, require_in_place
from arena.store.lock import Doing, Lock
from arena.store.reader import Reader
from arena.store.rows import (
    BotVersion,
    Decision,
    Entrant,
    Match,
    Tournament,
    Withdrawal,
    game_columns,
    match_key,
    play_columns,
    to_json,
)

LOCK_NAME = "results.lock"
_ADD_GAME = "INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_ADD_PLAY = "INSERT INTO plays VALUES (?, ?, ?, ?, ?, ?)"


class Store(Reader):
    """The results, open for writing: while it is, no other process can open them so."""

    _lock: Lock
    _opened: os.stat_result

    @classmethod
    def open(cls, folder: Path, doing: Doing = "run") -> Self:
        """Open the results in `folder`, making both where they do not exist yet.

        Others are told what it is open for: a run is what `arena stop` stops.
        Raises `SurroundingsError` if another process has them open for writing, or if what
        stands there is not a whole results file that this version of arena knows.
        """
        path = folder / FILE_NAME
        with explained(folder):
            folder.mkdir(parents=True, exist_ok=True)
            lock = Lock(folder / LOCK_NAME, doing)
        try:
            store = cls(path, open_to_write(path))
            store._opened = path.stat()
        except BaseException:
            lock.release()
            raise
        store._lock = lock
        return store

    def close(self) -> None:
        """Close the file and let others write."""
        super().close()
        self._lock.release()

    def note_stopping(self) -> None:
        """Let others know that this run was asked to stop."""
        self._lock.note("stopping")

    def begin(self, tournament: Tournament, field: Iterable[Entrant]) -> tuple[BotVersion, ...]:
        """Keep whose results these are, once only, and begin the first run as `enter` does."""
        if self.tournament() is not None:
            raise ArenaError(f"{self._path} already belongs to a tournament")
        values = (
            tournament.config_path,
            tournament.name,
            to_json(tournament.conditions),
            tournament.secret,
            tournament.drawn,
            tournament.revealed,
        )
        with self._transaction():
            self._connection.execute("INSERT INTO tournament VALUES (1, ?, ?, ?, ?, ?, ?)", values)
            names = self._enter_all(field)
        return self._entered(names)

    def follow(self, config_path: str) -> None:
        """Note that the config has moved, most often with all that is beside it."""
        with self._transaction():
            self._connection.execute("UPDATE tournament SET config_path = ?", (config_path,))

    def reveal(self) -> None:
        """Note that the secret is published, before it is; this cannot be taken back."""
        with self._transaction():
            self._connection.execute("UPDATE tournament SET revealed = 1")

    def enter(self, field: Iterable[Entrant]) -> tuple[BotVersion, ...]:
        """Begin a run: make exactly these bots the current ones, none of them left out.

        Return their versions in the given order. A content that is known under its name gets its
        old number back, a new one the next.
        """
        with self._transaction():
            names = self._enter_all(field)
        return self._entered(names)

    def _enter_all(self, field: Iterable[Entrant]) -> list[tuple[str, int]]:
        self._connection.execute("DELETE FROM left_out")
        self._connection.execute("UPDATE bots SET current = 0")
        return [self._enter(entrant) for entrant in field]

    def _entered(self, names: Iterable[tuple[str, int]]) -> tuple[BotVersion, ...]:
        self._fold_log_in()
        versions = {(bot.name, bot.number): bot for bot in self.bots()}
        return tuple(versions[name] for name in names)

    def _fold_log_in(self) -> None:
        """Move the log into the file: who loses only the log loses games, but not whose they are.

        A secret that is drawn anew would make other cards of the same boards.
        """
        with explained(self._path):
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def _enter(self, entrant: Entrant) -> tuple[str, int]:
        sql = (
            "INSERT INTO bots (name, number, hash, spec, current) VALUES (?1,"
            " (SELECT count(*) + 1 FROM bots WHERE name = ?1), ?2, ?3, 1)"
            " ON CONFLICT (name, hash) DO UPDATE SET current = 1 RETURNING number"
        )
        values = (entrant.name, entrant.hash, to_json(entrant.spec))
        ((number,),) = self._connection.execute(sql, values).fetchall()
        return entrant.name, number

    def add(
        self,
        records: Iterable[GameResult] = (),
        voids: Iterable[Void] = (),
        decisions: Iterable[Decision] = (),
    ) -> None:
        """Store what came of a job, and what was decided from it, in one transaction.

        A game that is already stored stays as it is, so that a job may come back twice. A version
        can be withdrawn only once.
        """
        with self._transaction():
            self._add_records(records)
            for void in voids:
                place = (self._ensure_match(void.id.match), void.id.board, void.id.seating)
                sql = "INSERT INTO voids (match, board, seating, cause) VALUES (?, ?, ?, ?)"
                self._connection.execute(sql, (*place, void.cause))
            for decision in decisions:
                self._decide(decision)

    def leave_out(self, version: str, detail: str) -> None:
        """Keep that a bot version does not take part in this run, and why."""
        with self._transaction():
            self._connection.execute("INSERT INTO left_out VALUES (?, ?)", (version, detail))

    def inspected(self, isolation: str, digest: str, findings: Sequence[object]) -> None:
        """Keep what this run finds now when it looks whether a level holds (`Inspection`)."""
        sql = (
            "INSERT INTO inspections (time, isolation, digest, findings)"
            " VALUES (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ?, ?, ?)"
        )
        with self._transaction():
            self._connection.execute(sql, (isolation, digest, to_json(findings)))

    def _decide(self, one: Decision) -> None:
        place = (self._ensure_match(one.game.match), one.game.board, one.game.seating)
        if isinstance(one, Withdrawal):
            sql = "INSERT INTO withdrawals VALUES (?, ?, ?, ?, ?)"
            self._connection.execute(sql, (one.version, *place, one.reason))
            return
        sql = (
            "INSERT INTO stops (kind, bots, match, board, seating, reason, figures)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)"
        )
        values = (one.kind, to_json(one.versions), *place, one.reason, to_json(one.figures))
        self._connection.execute(sql, values)

    def _add_records(self, records: Iterable[GameResult]) -> None:
        by_match: defaultdict[Match, dict[GameId, GameResult]] = defaultdict(dict)
        for record in records:
            by_match[record.id.match].setdefault(record.id, record)
        for match, given in by_match.items():
            number = self._ensure_match(match)
            boards = [game.board for game in given]
            for game in self._stored(match, min(boards), max(boards)):
                given.pop(game, None)
            games = ((number, *game_columns(record)) for record in given.values())
            plays = ((number, *play) for play in map(play_columns, given.values()) if play)
            self._connection.executemany(_ADD_GAME, games)
            self._connection.executemany(_ADD_PLAY, plays)

    def _ensure_match(self, match: Match) -> int:
        found = self._match_id(match)
        if found is not None:
            return found
        sql = "INSERT INTO matches (versions) VALUES (?) RETURNING id"
        ((new,),) = self._connection.execute(sql, (match_key(match),)).fetchall()
        return int(new)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with explained(self._path):
            require_in_place(self._path, self._opened)
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise
