"""One config file while it is read: where its keys and values stand, and what is wrong with it."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import yaml
from msgspec import UNSET, UnsetType

from arena.errors import ConfigError, Problem
from arena.tournament.config.problems import show_problems, together

KeyPath = tuple[str | int, ...]
"""Where a value belongs: ``("bots", 1, "params")`` is shown as ``bots[1].params``."""

MOST_PROBLEMS = 50
"""So many are shown; of the others only the number."""
_ENOUGH = 20 * MOST_PROBLEMS

_BREAK = re.compile("\r\n|[\n\r\x85\u2028\u2029]")
"""What ends a line in YAML 1.1."""
_LONGEST_NAME = 60
_LONGEST_TEXT = 600


class Spot(NamedTuple):
    """A place in the file, both from 1."""

    line: int
    column: int


class Document:
    """One file being read: its lines, where each key and value stands, and all its problems."""

    def __init__(self, path: str, text: str) -> None:
        """Begin with no problems; `path` as it is to be shown."""
        self.path = path
        self.lines = _BREAK.split(text)
        written = [number for number, line in enumerate(self.lines, 1) if line.strip(" \t")]
        self._last_line = written[-1] if written else 1
        self._problems: list[tuple[Spot, KeyPath, str]] = []
        self._keys: dict[KeyPath, Spot] = {}
        self._values: dict[KeyPath, Spot] = {}

    def place(self, key: KeyPath, value: yaml.Node, name: yaml.Node | None = None) -> None:
        """Remember where a value and the name before it stand; of duplicates the first counts."""
        self._values.setdefault(key, spot(value))
        self._keys.setdefault(key, spot(name or value))

    @property
    def keys(self) -> frozenset[KeyPath]:
        """All keys that stand in the file."""
        return frozenset(self._keys)

    def has(self, key: KeyPath) -> bool:
        """Whether `key` stands in the file."""
        return key in self._keys

    @property
    def has_enough(self) -> bool:
        """Whether there are problems enough; no more time is to be spent on explaining others."""
        return len(self._problems) >= _ENOUGH

    def show(self, key: KeyPath) -> str:
        """Return a key and its line, to refer to it elsewhere: ``bots[1] (line 7)``."""
        return f"{show_key(key)} (line {_nearest(self._values, key).line})"

    def report(self, where: Spot, key: KeyPath, text: str) -> None:
        """Add a problem at a place; behind the last line is the end of the last text."""
        self._problems.append((self._inside(where), key, cut(text, _LONGEST_TEXT)))

    def report_value(self, key: KeyPath, text: str) -> None:
        """Add a problem at the value of `key`, or of the nearest key around it in the file."""
        self.report(_nearest(self._values, key), key, text)

    def report_key(self, key: KeyPath, text: str) -> None:
        """Add a problem at the name of `key`, or of the nearest key around it in the file."""
        self.report(_nearest(self._keys, key), key, text)

    def check(self, others: Sequence[ConfigError] = ()) -> None:
        """Raise all problems if there are any, with those of `others`, files named by this one."""
        errors = [*([self.error()] if self._problems else ()), *others]
        if errors:
            raise together(errors)

    def error(self) -> ConfigError:
        """Return the problems in file order; no more than can be read are shown."""
        first = sorted(self._problems, key=lambda problem: problem[0])[:MOST_PROBLEMS]
        shown = tuple(
            Problem(*where, show_key(key), text, self.lines[where.line - 1])
            for where, key, text in first
        )
        number = len(self._problems)
        return ConfigError(show_problems(self.path, shown, number), shown, number)

    def _inside(self, where: Spot) -> Spot:
        if where.line > self._last_line:
            return Spot(self._last_line, self._end_of(self._last_line))
        return Spot(where.line, min(where.column, self._end_of(where.line)))

    def _end_of(self, line: int) -> int:
        return len(self.lines[line - 1]) + 1


@dataclass(frozen=True)
class KeyPlace:
    """The key a value is read for, and the file in which problems are reported."""

    document: Document
    key: KeyPath

    def below(self, part: str | int) -> KeyPlace:
        """Return the place of a part of this value."""
        return KeyPlace(self.document, (*self.key, part))

    def wrong(self, node: yaml.Node, text: str) -> UnsetType:
        """Report a problem at `node`; the value counts as not given."""
        self.document.report(spot(node), self.key, text)
        return UNSET


def spot(node: yaml.Node) -> Spot:
    """Where a node begins."""
    return Spot(node.start_mark.line + 1, node.start_mark.column + 1)


def show_key(key: KeyPath) -> str:
    """Return a key's path as a person writes it: ``bots[1].params.worlds``."""
    shown = ""
    for part in key:
        if isinstance(part, int):
            shown += f"[{part}]"
        else:
            name = cut(part, _LONGEST_NAME)
            name = name if name.isprintable() and name else json.dumps(name)
            shown += f".{name}" if shown else name
    return shown


def cut(text: str, length: int) -> str:
    """Return a text no longer than can be read at a glance."""
    return text if len(text) <= length else text[:length] + "..."


def _nearest(spots: dict[KeyPath, Spot], key: KeyPath) -> Spot:
    while key and key not in spots:
        key = key[:-1]
    return spots.get(key, Spot(1, 1))
