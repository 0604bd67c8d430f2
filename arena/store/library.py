"""Which SQLite keeps the results."""

from __future__ import annotations

import sqlite3


def sqlite_version() -> str:
    """Return the version of the library, which often is the system's own."""
    return sqlite3.sqlite_version
