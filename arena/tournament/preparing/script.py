"""What a Python file says that it needs: a comment with its dependencies, as PEP 723 has it.

# /// script
# requires-python = ">=3.11"
# dependencies = ["numpy>=2"]
# ///
"""

from __future__ import annotations

import platform
import re
import tomllib
from itertools import takewhile
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from arena.text import closest
from arena.tournament.config.document import Document, Spot

_BEGIN, _END = "# /// script", "# ///"
_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_KEYS = ("dependencies", "requires-python", "tool")
_MOST, _LONGEST = 100, 300
_MOST_CHARACTERS = 10_000
_SDK = "arena"
"""Is there without being asked for."""


def requirements(file: Path, shown: str) -> tuple[str, ...]:
    """Return what a file depends on, sorted; nothing if it does not say, or only on the SDK.

    `shown` is the file's path for people. Raises `ConfigError` with all that is wrong in it, as for
    a config; also if this Python is not one that the file asks for.
    """
    text = file.read_bytes().decode("utf-8", "replace")
    document = Document(shown, text)
    found = _Header(document).read()
    document.check()
    return tuple(sorted({str(one) for one in found if canonicalize_name(one.name) != _SDK}))


class _Header:
    """The comment while it is read."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._begin = 0
        """The number of its first line, from 1."""
        self._lines: list[str] = []

    def read(self) -> list[Requirement]:
        """Return the dependencies; what is wrong is reported."""
        if not self._find():
            return []
        values = self._toml()
        for key in values.keys() - set(_KEYS):
            guess = closest(key, _KEYS)
            hint = f'did you mean "{guess}"?' if guess else f"keys are {', '.join(_KEYS)}"
            self._report(key, f"{key}: unknown key; {hint}")
        self._check_python(values.get("requires-python", ""))
        given = values.get("dependencies", [])
        if not isinstance(given, list) or not all(isinstance(one, str) for one in given):
            self._report("dependencies", 'dependencies: expected a list such as ["numpy>=2"]')
            return []
        if len(given) > _MOST or any(len(one) > _LONGEST for one in given):
            most = f"{_MOST} at most, of {_LONGEST} characters each"
            self._report("dependencies", f"dependencies: are too many or too long; {most}")
            return []
        return [found for one in given if (found := self._requirement(one)) is not None]

    def _find(self) -> bool:
        """Find the comment; False if there is none, or not one that can be read."""
        rest = iter(enumerate(self._document.lines, 1))
        for begin, line in rest:
            if line.rstrip() == _BEGIN:
                # What begins within it is a part of it: no line is read a second time.
                comment = takewhile(_is_comment, (line for _, line in rest))
                self._take(begin, [line.rstrip() for line in comment])
        return self._begin > 0

    def _take(self, begin: int, block: list[str]) -> None:
        """Keep a comment that begins at a line, or report why it is not one that can be read."""
        end = max((number for number, line in enumerate(block, 1) if line == _END), default=0)
        lines = [line[2:] for line in block[: end - 1]]
        where = Spot(begin, 1)
        if not end:
            self._document.report(where, (), f"has no end: a line {_END}")
            return
        if self._begin:
            self._document.report(where, (), "is here a second time; keep one")
        elif sum(map(len, lines)) > _MOST_CHARACTERS:
            self._document.report(where, (), f"is longer than {_MOST_CHARACTERS} characters")
        else:
            self._begin, self._lines = begin, lines
        if _BEGIN in block[end:]:
            self._take(begin + 1 + block.index(_BEGIN, end), [])

    def _toml(self) -> dict[str, Any]:
        try:
            return tomllib.loads("\n".join(self._lines))
        except tomllib.TOMLDecodeError as error:
            text = str(error)
            place = _PLACE.search(text)
            line, column = map(int, place.groups()) if place and place[1] else (len(self._lines), 1)
            why = text[: place.start()] if place else text
            self._document.report(Spot(self._begin + line, column + 2), (), f"is no TOML: {why}")
        except (ValueError, RecursionError):  # what TOML allows, and Python does not read
            why = "a number is too long, or lists are nested too deep"
            self._document.report(Spot(self._begin, 1), (), f"is no TOML: {why}")
        return {}

    def _check_python(self, wanted: object) -> None:
        key, here = "requires-python", platform.python_version()
        try:
            if not isinstance(wanted, str):
                self._report(key, f'{key}: expected text such as ">=3.11"')
            elif not SpecifierSet(wanted).contains(here, prereleases=True):
                self._report(key, f"{key}: is {wanted}, and this arena runs on Python {here}")
        except (ValueError, RecursionError):  # InvalidSpecifier is one, too long a number another
            self._report(key, f'{key}: expected something like ">=3.11", got "{wanted}"')

    def _requirement(self, text: str) -> Requirement | None:
        try:
            found = Requirement(text)
        except (ValueError, RecursionError) as error:  # as above
            why = str(error).partition("\n")[0]
            self._report(text, f'"{text}" is no dependency such as "numpy>=2": {why}')
            return None
        if found.url is not None:
            self._report(text, f'"{text}" says where it is; give a name and versions only')
            return None
        return found

    def _report(self, word: str, text: str) -> None:
        """Add a problem at the first line of the comment that holds a word."""
        for number, line in enumerate(self._lines, 1):
            if word in line:
                self._document.report(Spot(self._begin + number, line.index(word) + 3), (), text)
                return
        self._document.report(Spot(self._begin, 1), (), text)


def _is_comment(line: str) -> bool:
    return line == "#" or line[:2] == "# "
