"""The lines of a file of results as they come in: bounded, and errors have their place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from arena.errors import UserError
from arena.text import visible

LONGEST_LINE = 10_000_000
"""Bytes; the record of an ordinary game has 5,000."""
_LONGEST_TEXT = 500
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class Lines:
    """All lines that are not blank, as bytes, once."""

    def __init__(self, name: str, stream: BinaryIO) -> None:
        """Read nothing yet; `name`: as a person calls the file."""
        self.number = 0
        """Of the line that was read last, from 1."""
        self._name = name
        self._stream = stream
        self._first: bytes | None = None

    def first(self) -> bytes:
        """Return the line that comes next without taking it; empty at the end."""
        if self._first is None:
            self._first = self._read()
        return self._first

    def __iter__(self) -> Iterator[bytes]:
        """Read on; raises `UserError` at a line that is too long."""
        while line := self.first():
            self._first = None
            yield line

    def _read(self) -> bytes:
        """Return the next line that is not blank; empty at the end."""
        while line := self._stream.readline(LONGEST_LINE + 1):
            self.number += 1
            if len(line) > LONGEST_LINE:
                raise self.wrong(f"is longer than {LONGEST_LINE} bytes, so it is no result")
            text = line.removeprefix(_BYTE_ORDER_MARK) if self.number == 1 else line
            if text.strip():
                return text
        return b""

    def wrong(self, text: str, number: int | None = None) -> UserError:
        """Return an error at a line, of its `number` or the last one."""
        return self._error(f"{self._name}:{number or self.number}: {text}")

    def useless(self, text: str) -> UserError:
        """Return an error of the file as a whole."""
        return self._error(f"{self._name}: {text}")

    def _error(self, text: str) -> UserError:
        return UserError(
            visible(text if len(text) <= _LONGEST_TEXT else f"{text[:_LONGEST_TEXT]}...")
        )
