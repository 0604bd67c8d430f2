"""The tables of results.sqlite and how an older file becomes a newer one.

Each step takes a file from the version of its index to the next; steps are never changed, only
added. Only SQL of the schema may stand here.

Results are in two tables. `games` is narrow: scheduling, ratings and tallies read nothing else.
`plays` holds the long part of a record (actions, times, notes) under the same key.
"""

from __future__ import annotations

import sqlite3

APPLICATION_ID = 0x4172656E
"""Marks a file as ours (``PRAGMA application_id``): the letters "Aren"."""

_STEPS = (
    """
    CREATE TABLE tournament (
        only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
        config_path TEXT NOT NULL,
        name TEXT NOT NULL,
        conditions TEXT NOT NULL,
        secret BLOB NOT NULL,
        drawn INTEGER NOT NULL
    );
    CREATE TABLE bots (
        entered INTEGER PRIMARY KEY,
        name TEXT NOT NULL,
        number INTEGER NOT NULL,
        hash TEXT NOT NULL,
        spec TEXT NOT NULL,
        current INTEGER NOT NULL,
        UNIQUE (name, number),
        UNIQUE (name, hash)
    );
    CREATE UNIQUE INDEX one_current_version ON bots (name) WHERE current;
    CREATE TABLE matches (
        id INTEGER PRIMARY KEY,
        versions TEXT NOT NULL UNIQUE
    );
    CREATE TABLE games (
        match INTEGER NOT NULL REFERENCES matches,
        board INTEGER NOT NULL,
        seating INTEGER NOT NULL,
        winner INTEGER NOT NULL,
        points TEXT NOT NULL,
        fault_seat INTEGER,
        fault TEXT,
        detail TEXT,
        got TEXT,
        decisions TEXT NOT NULL,
        spent_us TEXT NOT NULL,
        tables INTEGER NOT NULL,
        isolation TEXT NOT NULL,
        PRIMARY KEY (match, board, seating)
    ) WITHOUT ROWID;
    CREATE TABLE plays (
        match INTEGER NOT NULL,
        board INTEGER NOT NULL,
        seating INTEGER NOT NULL,
        actions TEXT NOT NULL,
        times_us TEXT NOT NULL,
        notes TEXT NOT NULL,
        PRIMARY KEY (match, board, seating),
        FOREIGN KEY (match, board, seating) REFERENCES games
    );
    CREATE TABLE voids (
        id INTEGER PRIMARY KEY,
        match INTEGER NOT NULL REFERENCES matches,
        board INTEGER NOT NULL,
        seating INTEGER NOT NULL,
        cause TEXT NOT NULL
    );
    CREATE TABLE start_faults (
        id INTEGER PRIMARY KEY,
        version TEXT NOT NULL,
        detail TEXT NOT NULL
    );
    """,
    """
    ALTER TABLE tournament ADD COLUMN revealed INTEGER NOT NULL DEFAULT 0;
    DROP TABLE start_faults;
    CREATE TABLE left_out (
        version TEXT PRIMARY KEY,
        detail TEXT NOT NULL
    );
    CREATE TABLE withdrawals (
        version TEXT PRIMARY KEY,
        match INTEGER NOT NULL REFERENCES matches,
        board INTEGER NOT NULL,
        seating INTEGER NOT NULL,
        reason TEXT NOT NULL
    );
    """,
    """
    ALTER TABLE games ADD COLUMN pondering TEXT NOT NULL DEFAULT 'allow';
    ALTER TABLE games ADD COLUMN cpu_us TEXT NOT NULL DEFAULT '[]';
    ALTER TABLE games ADD COLUMN lag_us INTEGER NOT NULL DEFAULT 0;
    CREATE TABLE inspections (
        id INTEGER PRIMARY KEY,
        time TEXT NOT NULL,
        isolation TEXT NOT NULL,
        digest TEXT NOT NULL,
        findings TEXT NOT NULL
    );
    """,
    """
    ALTER TABLE games ADD COLUMN deals TEXT NOT NULL DEFAULT '[]';
    """,
    """
    CREATE TABLE stops (
        id INTEGER PRIMARY KEY,
        kind TEXT NOT NULL,
        bots TEXT NOT NULL,
        match INTEGER NOT NULL REFERENCES matches,
        board INTEGER NOT NULL,
        seating INTEGER NOT NULL,
        reason TEXT NOT NULL,
        figures TEXT NOT NULL
    );
    """,
)

VERSION = len(_STEPS)
"""The version of the schema that this code reads and writes (``PRAGMA user_version``)."""


def migrate(connection: sqlite3.Connection, version: int) -> None:
    """Bring a file from `version` to `VERSION`, each step in one transaction."""
    for number, step in enumerate(_STEPS[version:], start=version + 1):
        mark = f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {number};"
        connection.executescript(f"BEGIN IMMEDIATE; {step} {mark} COMMIT;")
