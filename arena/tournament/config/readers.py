"""What may stand at a key, as small readers from YAML nodes to checked values.

A field of a struct of keys carries its reader in its type (``Annotated[int, Whole(1, 64)]``), so
that keys, types and bounds are written once. A reader reports what is wrong and returns UNSET; it
also knows the way back, from a value to what would be written, and its part of the JSON Schema.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import yaml
from msgspec import UNSET

from arena.text import did_you_mean
from arena.tournament.config.document import KeyPlace
from arena.tournament.config.yaml_nodes import unexpected
from arena.tournament.config.yaml_scalars import (
    OtherwiseReadError,
    Scalar,
    WrongValueError,
    is_unquoted,
    number_meant,
    scalar,
    show_number,
)

NULL = "null"

_GOES_ON = (
    "it goes on in the next line; indent the parts of a list alike, or put the text in quotes"
)


class Reader(ABC):
    """Turns a node into a value, or reports why not."""

    @property
    def takes_null(self) -> bool:
        """Whether null is a value here, and not just nothing."""
        return False

    @property
    @abstractmethod
    def expected(self) -> str:
        """What should stand there, for behind "expected"."""

    @abstractmethod
    def read(self, node: yaml.Node, place: KeyPlace) -> Any:
        """Return the value, or report at `place` why there is none and return UNSET."""

    @abstractmethod
    def schema(self) -> dict[str, Any]:
        """Return a JSON Schema of what may stand there."""

    def has_key(self, name: str) -> bool:  # noqa: ARG002 - most values have no keys
        """Whether `name` is a key of what stands there."""
        return False

    def write(self, value: Any) -> Any:
        """Return what `value` is read from, UNSET for a value that nothing stands for."""
        return value


class Leaf(Reader):
    """A reader of one single value; a subclass says which values are right."""

    @abstractmethod
    def accept(self, value: Scalar, node: yaml.ScalarNode) -> Any:
        """Return what `value` stands for or raise `WrongValueError`."""

    def read(self, node: yaml.Node, place: KeyPlace) -> Any:
        """Return the value or UNSET."""
        if not isinstance(node, yaml.ScalarNode):
            return place.wrong(node, unexpected(node, self.expected))
        try:
            value = scalar(node)
        except OtherwiseReadError as otherwise:
            return place.wrong(node, self._misread(otherwise))
        except WrongValueError as wrong:
            return place.wrong(node, f"expected {self.expected}, but {wrong}")
        try:
            return self.accept(value, node)
        except WrongValueError as wrong:
            return place.wrong(node, str(wrong))

    def _misread(self, otherwise: OtherwiseReadError) -> str:
        return f"expected {self.expected}, but {otherwise.what}{self._better(otherwise)}"

    def _better(self, otherwise: OtherwiseReadError) -> str:
        return f"; write {otherwise.better}" if otherwise.better else ""


@dataclass(frozen=True)
class Text(Leaf):
    """Text; `what` says which. Only free text may be empty or go over several lines."""

    what: str = "text"
    is_free: bool = False

    @property
    def expected(self) -> str:
        """What should stand there."""
        return self.what

    def accept(self, value: Scalar, node: yaml.ScalarNode) -> str:
        """Return the text; what YAML takes for something else must be quoted."""
        if isinstance(value, bool | int | float):
            raise WrongValueError(self._misread(OtherwiseReadError(node.value, _kind(value, node))))
        if value is None or (value == "" and not self.is_free):
            raise WrongValueError(f"expected {self.expected}, got nothing")
        if is_unquoted(node) and not self.is_free and node.end_mark.line > node.start_mark.line:
            raise WrongValueError(f"expected {self.expected}, but {_GOES_ON}")
        return value

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema."""
        return {"type": "string"} if self.is_free else {"type": "string", "minLength": 1}

    def write(self, value: str | None) -> Any:
        """Return the text; None is nothing."""
        return UNSET if value is None else value

    def _better(self, otherwise: OtherwiseReadError) -> str:
        return f"; write {otherwise.quoted}"


def _kind(value: float, node: yaml.ScalarNode) -> str:
    """Say what YAML reads instead of text."""
    if not isinstance(value, bool):
        return "a number"
    word = str(value).lower()
    return "a truth value" if word == node.value.lower() else word


@dataclass(frozen=True)
class Seed(Text):
    """Text, or a whole number that stands for its decimal."""

    what: str = "a whole number or text"

    def accept(self, value: Scalar, node: yaml.ScalarNode) -> str:
        """Return the text of the seed."""
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        return super().accept(value, node)

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema."""
        return {"type": ["string", "integer"], "minLength": 1}


@dataclass(frozen=True)
class OneOf(Leaf):
    """One of some words."""

    words: tuple[str, ...]

    @property
    def expected(self) -> str:
        """What should stand there."""
        return " or ".join((", ".join(self.words[:-1]), self.words[-1]))

    def accept(self, value: Scalar, node: yaml.ScalarNode) -> str:
        """Return the word."""
        if isinstance(value, str) and value in self.words:
            return value
        guess = did_you_mean(value.lower(), self.words) if isinstance(value, str) else None
        raise WrongValueError(unexpected(node, self.expected) + (f"; {guess}" if guess else ""))

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema."""
        return {"enum": list(self.words)}


@dataclass(frozen=True)
class Whole(Leaf):
    """A whole number between two others, these included; a word or null may stand for None."""

    low: int
    high: int
    none: str = ""
    """How None is written; empty: not at all."""

    @property
    def takes_null(self) -> bool:
        """Whether null is a value here."""
        return self.none == NULL

    @property
    def expected(self) -> str:
        """What should stand there."""
        return or_none(f"a whole number from {self.low} to {self.high}", self.none)

    def accept(self, value: Scalar, node: yaml.ScalarNode) -> int | None:
        """Return the number or None."""
        if self.none and value == value_of(self.none):
            return None
        if isinstance(value, int) and not isinstance(value, bool) and self._holds(value):
            return value
        raise WrongValueError(unexpected(node, self.expected) + self._hint(value, node))

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema."""
        numbers = {"type": "integer", "minimum": self.low, "maximum": self.high}
        return {"anyOf": [numbers, {"const": value_of(self.none)}]} if self.none else numbers

    def write(self, value: int | None) -> Any:
        """Return the number or what stands for None."""
        return value_of(self.none) if value is None else value

    def _holds(self, number: int | Decimal) -> bool:
        return self.low <= number <= self.high

    def _hint(self, value: Scalar, node: yaml.ScalarNode) -> str:
        if isinstance(value, str) and value.lower() == self.none:
            return f"; write {self.none}"
        meant = number_meant(node)
        if meant is None or meant != meant.to_integral_value() or not self._holds(meant):
            return ""
        return _better_number(meant, node)


@dataclass(frozen=True)
class Number(Leaf):
    """A number between two others, these included; a word or null may stand for None."""

    low: float
    high: float
    none: str = ""
    """How None is written; empty: not at all."""

    @property
    def takes_null(self) -> bool:
        """Whether null is a value here."""
        return self.none == NULL

    @property
    def expected(self) -> str:
        """What should stand there."""
        return or_none(f"a number from {self.low:.9g} to {self.high:.9g}", self.none)

    def accept(self, value: Scalar, node: yaml.ScalarNode) -> float | None:
        """Return the number or None."""
        if self.none and value == value_of(self.none):
            return None
        if isinstance(value, int | float) and not isinstance(value, bool) and self._holds(value):
            return float(value)
        meant = number_meant(node)
        hint = _better_number(meant, node) if meant is not None and self._holds(meant) else ""
        raise WrongValueError(unexpected(node, self.expected) + hint)

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema."""
        numbers = {"type": "number", "minimum": self.low, "maximum": self.high}
        return {"anyOf": [numbers, {"const": value_of(self.none)}]} if self.none else numbers

    def write(self, value: float | None) -> float | str | None:
        """Return the number, a whole one without a point."""
        if value is None:
            return value_of(self.none)
        return int(value) if value.is_integer() else value

    def _holds(self, number: float | Decimal) -> bool:
        return self.low <= number <= self.high


def _better_number(number: Decimal, node: yaml.ScalarNode) -> str:
    better = show_number(number)
    return "" if is_unquoted(node) and better == node.value else f"; write {better}"


def or_none(expected: str, none: str) -> str:
    """Say what is expected where None may be written too."""
    if not none:
        return expected
    return f"{expected}, or null" if none == NULL else f"{none} or {expected}"


def value_of(none: str) -> str | None:
    """Return the value of what None is written as."""
    return None if none == NULL else none
