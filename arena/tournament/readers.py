"""What may stand at a key, as small readers from YAML nodes to checked values.

A field of a struct of keys carries its reader in its type (``Annotated[int, Whole(1, 64)]``), so
that keys, types and bounds are written once. A reader reports what is wrong and returns UNSET.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, get_args

import msgspec
import yaml
from msgspec import UNSET, UnsetType
from msgspec.structs import FieldInfo

from arena.text import closest, did_you_mean
from arena.tournament.yaml_nodes import (
    KeyPlace,
    Scalar,
    WrongValueError,
    entries,
    got,
    is_null,
    scalar,
)

_UNITS_MS = {"ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000}
_DURATION = re.compile(r"(?P<amount>\d+(\.\d+)?) ?(?P<unit>[^\W\d]+)")
_CLOCK = re.compile(r"(\d{1,9}):([0-5]\d)")
_BARE = re.compile(r"[-+]?\d+(\.\d*)?")


class NodeReader(Protocol):
    """Turns a node into a value, or reports at `place` why not and returns UNSET."""

    def read(self, node: yaml.Node, place: KeyPlace) -> Any:
        """Return the value or UNSET."""
        ...


class Leaf(ABC):
    """A reader of one single value; a subclass says which values are right."""

    @property
    @abstractmethod
    def expected(self) -> str:
        """What should stand there, for behind "expected"."""

    @abstractmethod
    def accept(self, value: Scalar, node: yaml.ScalarNode) -> Any:
        """Return what `value` stands for or raise `WrongValueError`."""

    def read(self, node: yaml.Node, place: KeyPlace) -> Any:
        """Return the value or UNSET."""
        if not isinstance(node, yaml.ScalarNode):
            return place.wrong(node, self._expected(node))
        try:
            return self.accept(scalar(node), node)
        except WrongValueError as wrong:
            return place.wrong(node, str(wrong))

    def _expected(self, node: yaml.Node) -> str:
        return f"expected {self.expected}, got {got(node)}"


@dataclass(frozen=True)
class Text(Leaf):
    """Text; `what` says which. Only where it may be empty, two quotes stand for no text."""

    what: str = "text"
    may_be_empty: bool = False

    @property
    def expected(self) -> str:
        """What should stand there."""
        return self.what

    def accept(self, value: Scalar, node: yaml.ScalarNode) -> str:
        """Return the text; what YAML takes for something else must be quoted."""
        if value is None or (value == "" and not self.may_be_empty):
            raise WrongValueError(f"expected {self.expected}, got nothing")
        if not isinstance(value, str):
            meant = str(value).lower() if isinstance(value, bool) else "a number"
            hint = f'YAML reads {node.value} as {meant}; write "{node.value}"'
            raise WrongValueError(f"expected {self.expected}, but {hint}")
        return value


@dataclass(frozen=True)
class Seed(Text):
    """Text, or a whole number that stands for its decimal."""

    what: str = "a whole number or text"

    def accept(self, value: Scalar, node: yaml.ScalarNode) -> str:
        """Return the text of the seed."""
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        return super().accept(value, node)


@dataclass(frozen=True)
class OneOf(Leaf):
    """One of some words."""

    words: tuple[str, ...]

    @property
    def expected(self) -> str:
        """What should stand there."""
        return " or ".join(self.words)

    def accept(self, value: Scalar, node: yaml.ScalarNode) -> str:
        """Return the word."""
        if isinstance(value, str) and value in self.words:
            return value
        guess = did_you_mean(value, self.words) if isinstance(value, str) else None
        raise WrongValueError(self._expected(node) + (f"; {guess}" if guess else ""))


@dataclass(frozen=True)
class Whole(Leaf):
    """A whole number between two others, these included; null may stand for never."""

    low: int
    high: int
    null: bool = False

    @property
    def expected(self) -> str:
        """What should stand there."""
        null = ", or null for never" if self.null else ""
        return f"a whole number from {self.low} to {self.high}{null}"

    def accept(self, value: Scalar, node: yaml.ScalarNode) -> int | None:
        """Return the number, or None for null."""
        if self.null and value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int):
            raise WrongValueError(self._expected(node))
        if not self.low <= value <= self.high:
            raise WrongValueError(self._expected(node))
        return value


@dataclass(frozen=True)
class WholeOr(Leaf):
    """A whole number, or a word in its place that gives None."""

    word: str
    low: int
    high: int

    @property
    def expected(self) -> str:
        """What should stand there."""
        return f"{self.word} or a whole number from {self.low} to {self.high}"

    def accept(self, value: Scalar, node: yaml.ScalarNode) -> int | None:
        """Return the number, or None for the word."""
        if value == self.word:
            return None
        try:
            return Whole(self.low, self.high).accept(value, node)
        except WrongValueError:
            raise WrongValueError(self._expected(node)) from None


@dataclass(frozen=True)
class Number(Leaf):
    """A number between two others, these included."""

    low: float
    high: float

    @property
    def expected(self) -> str:
        """What should stand there."""
        return f"a number from {self.low:.9g} to {self.high:.9g}"

    def accept(self, value: Scalar, node: yaml.ScalarNode) -> float:
        """Return the number."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise WrongValueError(self._expected(node))
        if not self.low <= value <= self.high:
            raise WrongValueError(self._expected(node))
        return float(value)


@dataclass(frozen=True)
class Duration:
    """A time with its unit, in milliseconds between two bounds; null may stand for no limit.

    Looks at what is written: YAML would make 90 of 1:30.
    """

    low_ms: int
    high_ms: int
    null: bool = False

    def read(self, node: yaml.Node, place: KeyPlace) -> Any:
        """Return milliseconds, None for null, or UNSET."""
        if self.null and is_null(node):
            return None
        try:
            return self._milliseconds(node)
        except WrongValueError as wrong:
            return place.wrong(node, str(wrong))

    def _milliseconds(self, node: yaml.Node) -> int:
        written = node.value if isinstance(node, yaml.ScalarNode) else ""
        if _BARE.fullmatch(written):
            raise WrongValueError(
                f"{written} has no unit; write {written}ms, {written}s or {written}m"
            )
        found = _DURATION.fullmatch(written)
        if not found:
            null = ", or null for no limit" if self.null else ""
            clock = _CLOCK.fullmatch(written)
            hint = f"; write {60 * int(clock[1]) + int(clock[2])}s" if clock else ""
            text = f"expected a time such as 1s or 250ms{null}, got {got(node)}{hint}"
            raise WrongValueError(text)
        unit = _UNITS_MS.get(found["unit"])
        if unit is None:
            raise WrongValueError(
                f'unknown unit "{found["unit"]}"; units are {", ".join(_UNITS_MS)}'
            )
        exact = float(found["amount"]) * unit
        if not self.low_ms <= exact <= self.high_ms:
            bounds = f"from {_show_ms(self.low_ms)} to {_show_ms(self.high_ms)}"
            raise WrongValueError(f"expected a time {bounds}, got {got(node)}")
        if exact != round(exact):
            raise WrongValueError(f"{written} is not a whole number of milliseconds")
        return round(exact)


def _show_ms(duration_ms: int) -> str:
    if not duration_ms:
        return "0s"
    unit = max((u for u in _UNITS_MS if duration_ms % _UNITS_MS[u] == 0), key=_UNITS_MS.__getitem__)
    return f"{duration_ms // _UNITS_MS[unit]}{unit}"


@dataclass(frozen=True)
class Json:
    """Any value that JSON knows too."""

    def read(self, node: yaml.Node, place: KeyPlace) -> Any:
        """Return the value or UNSET."""
        if isinstance(node, yaml.MappingNode):
            return Table(self).read(node, place)
        if not isinstance(node, yaml.ScalarNode):
            return list(Each(self).read(node, place) or ())
        try:
            return scalar(node)
        except WrongValueError as wrong:
            return place.wrong(node, str(wrong))


@dataclass(frozen=True)
class Each:
    """A list; a wrong part is UNSET in it, so that the others keep their numbers."""

    part: NodeReader
    expected: str = "a list"

    def read(self, node: yaml.Node, place: KeyPlace) -> tuple[Any, ...] | UnsetType:
        """Return the parts or UNSET."""
        if not isinstance(node, yaml.SequenceNode):
            return place.wrong(node, f"expected {self.expected}, got {got(node)}")
        parts = []
        for number, child in enumerate(node.value):
            below = place.below(number)
            place.document.place(below.key, child)
            parts.append(self.part.read(child, below))
        return tuple(parts)


@dataclass(frozen=True)
class Table:
    """A mapping whose keys are free; wrong values are left out."""

    part: NodeReader

    def read(self, node: yaml.Node, place: KeyPlace) -> dict[str, Any] | UnsetType:
        """Return the values by their keys or UNSET."""
        if not isinstance(node, yaml.MappingNode):
            return place.wrong(node, f"expected a mapping, got {got(node)}")
        values: dict[str, Any] = {}
        for name, name_node, child in entries(node, place):
            below = place.below(name)
            place.document.place(below.key, child, name_node)
            value = self.part.read(child, below)
            if value is not UNSET:
                values.setdefault(name, value)
        return values


@dataclass(frozen=True)
class Keys:
    """A mapping with known keys: the fields of a struct."""

    struct: type[msgspec.Struct]

    def read(self, node: yaml.Node, place: KeyPlace) -> Any:
        """Return the struct, with UNSET for required keys that are missing or wrong."""
        fields = {field.encode_name: field for field in msgspec.structs.fields(self.struct)}
        if not isinstance(node, yaml.MappingNode):
            some = ", ".join(list(fields)[:3])
            return place.wrong(
                node, f"expected a mapping with keys such as {some}, got {got(node)}"
            )
        values: dict[str, Any] = {}
        for name, name_node, child in self._known(node, place, fields):
            below = place.below(name)
            place.document.place(below.key, child, name_node)
            values.setdefault(name, _node_reader(fields[name]).read(child, below))
        return self._build(node, place, fields, values)

    def _known(
        self, node: yaml.MappingNode, place: KeyPlace, fields: Mapping[str, FieldInfo]
    ) -> Iterator[tuple[str, yaml.ScalarNode, yaml.Node]]:
        """Report unknown keys; go on below a misspelt one as if it were right."""
        written = {name.value for name, _ in node.value if isinstance(name, yaml.ScalarNode)}
        for name, name_node, child in entries(node, place):
            if name in fields:
                yield name, name_node, child
                continue
            guess = closest(name, fields)
            hint = f'; did you mean "{guess}"?' if guess else f"; keys are {', '.join(fields)}"
            place.below(name).wrong(name_node, f"unknown key{hint}")
            if guess and guess not in written:
                yield guess, name_node, child

    def _build(
        self,
        node: yaml.MappingNode,
        place: KeyPlace,
        fields: Mapping[str, FieldInfo],
        values: Mapping[str, Any],
    ) -> msgspec.Struct:
        given = {}
        for name, field in fields.items():
            if field.required and name not in values:
                place.below(name).wrong(node, "is missing")
            if field.required or values.get(name, UNSET) is not UNSET:
                given[field.name] = values.get(name, UNSET)
        return self.struct(**given)


def _node_reader(field: FieldInfo) -> NodeReader:
    reader: NodeReader = get_args(field.type)[1]
    return reader
