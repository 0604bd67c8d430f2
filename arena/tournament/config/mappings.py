"""Readers of what has parts: lists, mappings with free keys, mappings with known keys."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, NamedTuple, get_args

import msgspec
import yaml
from msgspec import UNSET, UnsetType

from arena.tournament.config.document import KeyPlace
from arena.tournament.config.readers import Reader
from arena.tournament.config.yaml_nodes import entries, has_merge, is_list, is_mapping, unexpected
from arena.tournament.config.yaml_scalars import (
    WrongValueError,
    is_null,
    refuse_number_as_text,
    scalar,
)

_ALIKE = 0.7
"""How like a key a word must be, so that isolation is not taken for options."""


@dataclass(frozen=True)
class Doc:
    """What is said of a key wherever it is explained. It stands behind the reader in its type."""

    means: str
    change: str = ""
    """What a change does to a tournament that has results; empty: as it is said of all around."""
    default: Any = UNSET
    """The value in force without the key; UNSET: the field's own default."""
    shown: str = ""
    """The default in words, where its value does not say it."""


class KeyField(NamedTuple):
    """A known key of a mapping."""

    name: str
    attribute: str
    reader: Reader
    doc: Doc
    default: Any
    """The value in force without the key; UNSET: there is none."""
    is_required: bool


def key_fields(struct: type[msgspec.Struct]) -> dict[str, KeyField]:
    """Return the keys of a mapping that stand for the fields of a struct, by name, in order."""
    found = {}
    for one in msgspec.structs.fields(struct):
        _, reader, doc = get_args(one.type)
        own = UNSET if one.default is msgspec.NODEFAULT else one.default
        if one.default_factory is not msgspec.NODEFAULT:
            own = one.default_factory()
        default = own if doc.default is UNSET else doc.default
        name = one.encode_name
        found[name] = KeyField(name, one.name, reader, doc, default, one.required)
    return found


@dataclass(frozen=True)
class Json(Reader):
    """Any value that JSON knows too."""

    @property
    def takes_null(self) -> bool:
        """Whether null is a value here."""
        return True

    @property
    def expected(self) -> str:
        """What should stand there."""
        return "any value"

    def read(self, node: yaml.Node, place: KeyPlace) -> Any:
        """Return the value or UNSET."""
        if isinstance(node, yaml.MappingNode):
            return Table(self).read(node, place)
        if isinstance(node, yaml.SequenceNode):
            found = Each(self).read(node, place)
            return UNSET if found is UNSET else list(found)
        if not isinstance(node, yaml.ScalarNode):
            return place.wrong(node, unexpected(node, self.expected))
        try:
            refuse_number_as_text(node)
            return scalar(node)
        except WrongValueError as wrong:
            return place.wrong(node, str(wrong))

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema."""
        return {}


@dataclass(frozen=True)
class Each(Reader):
    """A list; a wrong part is UNSET in it, so that the others keep their numbers."""

    part: Reader
    what: str = "a list"

    @property
    def expected(self) -> str:
        """What should stand there."""
        return self.what

    def read(self, node: yaml.Node, place: KeyPlace) -> tuple[Any, ...] | UnsetType:
        """Return the parts or UNSET."""
        if not is_list(node):
            return place.wrong(node, unexpected(node, self.expected))
        parts = []
        for number, child in enumerate(node.value):
            below = place.below(number)
            place.document.place(below.key, child)
            parts.append(self.part.read(child, below))
        return tuple(parts)

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema."""
        return {"type": "array", "items": self.part.schema()}

    def write(self, value: Any) -> Any:
        """Return the parts as they are written; None is nothing."""
        return UNSET if value is None else [self.part.write(part) for part in value]


@dataclass(frozen=True)
class Table(Reader):
    """A mapping whose keys are free; wrong values are left out."""

    part: Reader
    what: str = "a mapping"
    names: str = ""
    """A pattern for the JSON Schema that the keys follow."""

    @property
    def expected(self) -> str:
        """What should stand there."""
        return self.what

    def read(self, node: yaml.Node, place: KeyPlace) -> dict[str, Any] | UnsetType:
        """Return the values by their keys or UNSET."""
        if not isinstance(node, yaml.MappingNode) or not is_mapping(node):
            return place.wrong(node, unexpected(node, self.expected))
        values: dict[str, Any] = {}
        for name, name_node, child in entries(node, place):
            below = place.below(name)
            place.document.place(below.key, child, name_node)
            value = self.part.read(child, below)
            if value is not UNSET:
                values.setdefault(name, value)
        return values

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema."""
        names = {"propertyNames": {"pattern": self.names}} if self.names else {}
        return {"type": "object", **names, "additionalProperties": self.part.schema()}

    def write(self, value: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values as they are written."""
        return {name: self.part.write(part) for name, part in value.items()}


@dataclass(frozen=True)
class Keys(Reader):
    """A mapping with known keys: the fields of a struct."""

    struct: type[msgspec.Struct]
    also: Mapping[str, Any] = field(default_factory=dict)
    """What the JSON Schema demands of several keys together."""

    @property
    def expected(self) -> str:
        """What should stand there."""
        fields = sorted(key_fields(self.struct).values(), key=lambda one: not one.is_required)
        return f"a mapping with keys such as {', '.join(one.name for one in fields[:3])}"

    def read(self, node: yaml.Node, place: KeyPlace) -> Any:
        """Return the struct, with UNSET for required keys that are missing or wrong."""
        if not isinstance(node, yaml.MappingNode) or not is_mapping(node):
            return place.wrong(node, unexpected(node, self.expected))
        fields = key_fields(self.struct)
        values: dict[str, Any] = {}
        for name, name_node, child in self._known(node, place, fields):
            below = place.below(name)
            place.document.place(below.key, child, name_node)
            values.setdefault(name, _read_field(fields[name], child, below))
        return self._build(node, place, fields, values)

    def schema(self, defaults: msgspec.Struct | None = None) -> dict[str, Any]:
        """Return the JSON Schema; `defaults`: what is in force where nothing is written."""
        fields = key_fields(self.struct)
        return {
            "type": "object",
            "properties": {
                name: _field_schema(one, getattr(defaults, one.attribute, one.default))
                for name, one in fields.items()
            },
            "required": [name for name, one in fields.items() if one.is_required],
            "additionalProperties": False,
            **self.also,
        }

    def has_key(self, name: str) -> bool:
        """Whether `name` is one of the keys."""
        return name in key_fields(self.struct)

    def write(self, value: Any) -> Any:
        """Return the keys with what is written there; what has no value is left out, as is None."""
        if value is None:
            return UNSET
        written = {
            name: one.reader.write(getattr(value, one.attribute))
            for name, one in key_fields(self.struct).items()
            if getattr(value, one.attribute) is not UNSET
        }
        return {name: value for name, value in written.items() if value is not UNSET}

    def _known(
        self, node: yaml.MappingNode, place: KeyPlace, fields: Mapping[str, KeyField]
    ) -> Iterator[tuple[str, yaml.ScalarNode, yaml.Node]]:
        """Report unknown keys; go on below a misspelt one as if it were right."""
        written = {name.value for name, _ in node.value if isinstance(name, yaml.ScalarNode)}
        for name, name_node, child in entries(node, place):
            if name in fields:
                yield name, name_node, child
                continue
            if place.document.has_enough:
                place.below(name).wrong(name_node, "unknown key")
                continue
            guess = _meant(name, fields)
            place.below(name).wrong(name_node, f"unknown key; {_hint(name, guess, fields)}")
            if guess and guess not in written:
                yield guess, name_node, child

    def _build(
        self,
        node: yaml.MappingNode,
        place: KeyPlace,
        fields: Mapping[str, KeyField],
        values: Mapping[str, Any],
    ) -> msgspec.Struct:
        given = {}
        for name, one in fields.items():
            if one.is_required and name not in values and not has_merge(node):
                place.below(name).wrong(node, f"is missing; expected {one.reader.expected}")
            if one.is_required or values.get(name, UNSET) is not UNSET:
                given[one.attribute] = values.get(name, UNSET)
        return self.struct(**given)


def _meant(name: str, known: Iterable[str]) -> str | None:
    """Return the key that is surely meant: what is below it will be read so."""
    plain = name.strip().lower().replace("-", "_").replace(" ", "_")
    return next(iter(get_close_matches(plain, list(known), n=1, cutoff=_ALIKE)), None)


def _read_field(one: KeyField, node: yaml.Node, place: KeyPlace) -> Any:
    """Read a value; nothing where there is a default is most often a key begun and left."""
    if is_null(node) and not one.reader.takes_null and not one.is_required:
        hint = "leave the key out for its default"
        return place.wrong(node, f"expected {one.reader.expected}, got nothing; {hint}")
    return one.reader.read(node, place)


def _hint(name: str, guess: str | None, fields: Mapping[str, KeyField]) -> str:
    if guess:
        return f'did you mean "{guess}"?'
    for above, one in fields.items():
        if one.reader.has_key(name):
            return f"it belongs under {above}"
    if "path" in fields and ("/" in name or name.endswith(".py")):
        return f"write path: {name}"
    return f"keys are {', '.join(fields)}"


def _field_schema(one: KeyField, default: Any) -> dict[str, Any]:
    schema = one.reader.schema(default) if isinstance(one.reader, Keys) else one.reader.schema()
    written = UNSET if default is UNSET else one.reader.write(default)
    schema |= {"description": describe(one)}
    return schema if written is UNSET else schema | {"default": written}


def describe(one: KeyField) -> str:
    """Return all that an editor should show of a key."""
    parts = [one.doc.means, one.reader.expected]
    if one.doc.shown:
        parts.append(f"default: {one.doc.shown}")
    if one.doc.change:
        parts.append(f"a change once there are results: {one.doc.change}")
    return "\n\n".join(f"{part[0].upper()}{part[1:]}." for part in parts)
