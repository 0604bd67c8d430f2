"""From a file's bytes to YAML nodes, and what single nodes mean. Nothing here knows a key.

Values are read from the nodes, not by PyYAML's constructors: these take the last of duplicate
keys, read 010 as 8, 1:30 as 90 and ``no`` as false, and forget where a value stood.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import yaml
from msgspec import UNSET, UnsetType

from arena.errors import ConfigError, Problem, UserError
from arena.tournament.problems import show_problems

MAX_BYTES = 1_000_000
"""Largest file that is read."""
MAX_VALUES = 100_000
"""Most values a file may stand for, aliases followed."""
MAX_CHARACTERS = 10_000_000
"""Most text a file may stand for, aliases followed."""
MAX_DEPTH = 50
"""Deepest nesting of lists and mappings."""
MAX_WHOLE = 2**63 - 1
"""Largest whole number, so that every language's bots can read it."""

KeyPath = tuple[str | int, ...]
"""Where a value belongs: ``("bots", 1, "params")`` is shown as ``bots[1].params``."""
Scalar = str | int | float | bool | None

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_DECIMAL = re.compile(r"[-+]?(0|[1-9][0-9_]*)")
_TAG = "tag:yaml.org,2002:"
_SHOWN_LENGTH = 60
_TRUE = ("true", "yes", "on")


class Spot(NamedTuple):
    """A place in the file, both from 1."""

    line: int
    column: int


class WrongValueError(ValueError):
    """A value that YAML reads as something its author can hardly mean; the text says what."""


class Document:
    """One file being read: its lines, where each key and value stands, and all its problems."""

    def __init__(self, path: str, text: str) -> None:
        """Begin with no problems; `path` as it is to be shown."""
        self.path = path
        self._lines = text.splitlines()
        self._problems: list[Problem] = []
        self._keys: dict[KeyPath, Spot] = {}
        self._values: dict[KeyPath, Spot] = {}

    def place(self, key: KeyPath, value: yaml.Node, name: yaml.Node | None = None) -> None:
        """Remember where a value and the name before it stand; of duplicates the first counts."""
        self._values.setdefault(key, spot(value))
        self._keys.setdefault(key, spot(name or value))

    def has(self, key: KeyPath) -> bool:
        """Whether `key` stands in the file."""
        return key in self._keys

    def show(self, key: KeyPath) -> str:
        """Return a key and its line, to refer to it elsewhere: ``bots[1] (line 7)``."""
        return f"{show_key(key)} (line {_nearest(self._values, key).line})"

    def report(self, where: Spot, key: KeyPath, text: str) -> None:
        """Add a problem at a place."""
        source = self._lines[where.line - 1] if where.line <= len(self._lines) else ""
        self._problems.append(Problem(*where, show_key(key), text, source))

    def report_value(self, key: KeyPath, text: str) -> None:
        """Add a problem at the value of `key`, or of the nearest key around it in the file."""
        self.report(_nearest(self._values, key), key, text)

    def report_key(self, key: KeyPath, text: str) -> None:
        """Add a problem at the name of `key`, or of the nearest key around it in the file."""
        self.report(_nearest(self._keys, key), key, text)

    def check(self) -> None:
        """Raise all problems if there are any."""
        if self._problems:
            raise self.error()

    def error(self) -> ConfigError:
        """Return all problems in file order."""
        in_order = tuple(sorted(self._problems, key=lambda p: (p.line, p.column)))
        return ConfigError(show_problems(self.path, in_order), in_order)


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


def read_nodes(path: Path, shown: str) -> tuple[Document, yaml.Node]:
    """Read a file that must be YAML of a bearable size and return its root node.

    Raises `UserError` if the file cannot be read at all, `ConfigError` with the place if its
    text is no YAML.
    """
    text = _text(path, shown)
    document = Document(shown, text)
    try:
        root = yaml.compose(text, Loader=_LOADER)
    except yaml.MarkedYAMLError as error:
        document.report(_error_spot(error), (), _error_text(error, text))
    except yaml.YAMLError as error:
        document.report(Spot(1, 1), (), f"is not YAML: {' '.join(str(error).split())}")
    except RecursionError:
        document.report(Spot(1, 1), (), f"is nested more than {MAX_DEPTH} levels deep")
    else:
        if root is None:
            document.report(Spot(1, 1), (), "is empty; a whole config is: bots: [a.py, b.py]")
        elif (excess := _excess(root)) is not None:
            document.report(Spot(1, 1), (), excess)
        else:
            return document, root
    raise document.error()


def _text(path: Path, shown: str) -> str:
    try:
        if path.exists() and not path.is_file() and not path.is_dir():
            raise UserError(f"{shown}: is neither a file nor a folder, but a device or a pipe")
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
    except FileNotFoundError as error:
        raise UserError(f"{shown}: no such file") from error
    except IsADirectoryError as error:
        raise UserError(f"{shown}: is a folder; give the config file in it") from error
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise UserError(f"{shown}: cannot be read: {why}") from error
    if len(raw) > MAX_BYTES:
        raise UserError(f"{shown}: is larger than {MAX_BYTES} bytes; this is no config")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise UserError(
            f"{shown}: line {line} is not UTF-8 text; save the file as UTF-8"
        ) from error


def _error_spot(error: yaml.MarkedYAMLError) -> Spot:
    mark = error.problem_mark or error.context_mark
    return Spot(mark.line + 1, mark.column + 1) if mark else Spot(1, 1)


def _error_text(error: yaml.MarkedYAMLError, text: str) -> str:
    what = ", ".join(part for part in (error.context, error.problem) if part)
    mark = error.problem_mark
    lines = text.splitlines()
    if mark and mark.line < len(lines) and "\t" in lines[mark.line][: mark.column + 1]:
        what += "; YAML is indented with spaces, not with tabs"
    return f"is not YAML: {what}"


def _excess(root: yaml.Node) -> str | None:
    """Say which bound the nodes break; aliases count as often as they stand in the file."""
    values = characters = 0
    waiting = [(root, 1)]
    while waiting:
        node, depth = waiting.pop()
        values += 1
        if isinstance(node, yaml.ScalarNode):
            characters += len(node.value)
        else:
            waiting += [(child, depth + 1) for child in _children(node)]
        if depth > MAX_DEPTH:
            return f"is nested more than {MAX_DEPTH} levels deep"
        if values > MAX_VALUES or characters > MAX_CHARACTERS:
            return f"stands for more than {MAX_VALUES} values or {MAX_CHARACTERS} characters"
    return None


def _children(node: yaml.Node) -> list[yaml.Node]:
    if isinstance(node, yaml.MappingNode):
        return [child for pair in node.value for child in pair]
    return list(node.value)


def spot(node: yaml.Node) -> Spot:
    """Where a node begins."""
    return Spot(node.start_mark.line + 1, node.start_mark.column + 1)


def scalar(node: yaml.ScalarNode) -> Scalar:
    """Return what a single value is in YAML 1.1.

    Raises `WrongValueError` for what its author can hardly mean so.
    """
    tag = node.tag.removeprefix(_TAG)
    match tag:
        case "str":
            return _sound_text(node.value)
        case "int":
            return _whole(node.value)
        case "float":
            return _real(node.value)
        case "bool":
            return node.value.lower() in _TRUE
        case "null":
            return None
        case "timestamp":
            raise WrongValueError(f"YAML reads {_short(node.value)} as a date; put it in quotes")
        case _:
            raise WrongValueError(f"the tag {_short(node.tag)} is not allowed")


def _sound_text(text: str) -> str:
    if "\0" in text or any("\ud800" <= char <= "\udfff" for char in text):
        raise WrongValueError("text may hold neither zero characters nor halves of surrogate pairs")
    return text


def _whole(text: str) -> int:
    if len(text) > len(str(MAX_WHOLE)) + 1:
        raise WrongValueError(f"{_short(text)} is too long a number")
    if not _DECIMAL.fullmatch(text):
        raise WrongValueError(
            f"YAML does not read {text} as it looks; write a decimal number or use quotes"
        )
    number = int(text)
    if abs(number) > MAX_WHOLE:
        raise WrongValueError(f"{text} is too large a number")
    return number


def _real(text: str) -> float:
    try:
        number = float(text.replace("_", ""))
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise WrongValueError(f"{_short(text)} is not a plain finite number")
    return number


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN_LENGTH else text[:_SHOWN_LENGTH] + "..."


def got(node: yaml.Node) -> str:
    """Name what stands in the file, for behind "expected ..., got"."""
    if isinstance(node, yaml.MappingNode):
        return "a mapping"
    if isinstance(node, yaml.SequenceNode):
        return "a list"
    if is_null(node):
        return "nothing"
    text = _short(node.value)
    return json.dumps(text, ensure_ascii=False) if node.tag == _TAG + "str" else text


def is_null(node: yaml.Node) -> bool:
    """Whether nothing or null stands there."""
    return node.tag == _TAG + "null"


def entries(
    node: yaml.MappingNode, place: KeyPlace
) -> Iterator[tuple[str, yaml.ScalarNode, yaml.Node]]:
    """(Name, its node, value) of each key, reporting those that are doubled or no names.

    A name is taken as it is written, whatever else YAML takes it for.
    """
    seen: dict[str, Spot] = {}
    for name, value in node.value:
        if not isinstance(name, yaml.ScalarNode):
            place.wrong(name, f"expected a key, got {got(name)}")
        elif name.tag == _TAG + "merge":
            place.wrong(name, "merging with << is not supported; write the keys out")
        else:
            if name.value in seen:
                text = f"duplicate key; the first is on line {seen[name.value].line}"
                place.below(name.value).wrong(name, text)
            seen.setdefault(name.value, spot(name))
            yield name.value, name, value


def show_key(key: KeyPath) -> str:
    """Return a key's path as a person writes it: ``bots[1].params.worlds``."""
    shown = ""
    for part in key:
        if isinstance(part, int):
            shown += f"[{part}]"
        else:
            name = part if part.isprintable() and part else json.dumps(part)
            shown += f".{name}" if shown else name
    return shown


def _nearest(spots: dict[KeyPath, Spot], key: KeyPath) -> Spot:
    while key and key not in spots:
        key = key[:-1]
    return spots.get(key, Spot(1, 1))
