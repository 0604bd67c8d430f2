"""From a file of results, whatever its format, to what it says."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from arena.errors import UserError
from arena.text import visible
from arena.tools.rate.gathered import Gathered
from arena.tools.rate.lines import Lines
from arena.tools.rate.records import gather_records
from arena.tools.rate.tables import gather_table

STDIN = "-"
_RECORD, _LIST = b"{", b"["


def read_results(file: str) -> Gathered:
    """Read a file, or stdin if it is ``-``.

    A record is a JSON object, and no row of CSV can be one and name the columns that are needed,
    so the first line tells the format. Raises `UserError` if the file cannot be opened, at the
    first line that is not right, and if there is no game in it.
    """
    with _opened(file) as stream:
        lines = Lines("stdin" if file == STDIN else file, stream)
        first = lines.first()
        if first.startswith(_LIST):
            raise lines.wrong("a JSON list; write one record a line")
        if not first:
            raise lines.useless("is empty")
        gathered = gather_records(lines) if first.startswith(_RECORD) else gather_table(lines)
        if not gathered.games:
            raise lines.useless("there is no game in it that counts")
    return gathered


@contextmanager
def _opened(file: str) -> Iterator[BinaryIO]:
    try:
        opened = open(0, "rb", closefd=False) if file == STDIN else Path(file).open("rb")  # noqa: SIM115
    except OSError as error:
        raise UserError(f"{visible(file)}: {error.strerror}") from error
    with opened:
        yield opened
