"""Options of the game that could be meant, read from their types. Loads the rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import msgspec
from msgspec import inspect

from arena import rules

_VARIANT = "two_handed"


class Option(NamedTuple):
    """An option of the game."""

    key: str
    text: str
    """What it is about."""
    values: tuple[str, ...]
    """All that it may have, if these are few; the numbers are too many."""


def offered() -> Iterator[Option]:
    """Yield all options of the game."""
    for field in msgspec.structs.fields(type(rules.load(_VARIANT).options)):
        info = inspect.type_info(field.type)
        text = ""
        if isinstance(info, inspect.Metadata):
            text = (info.extra_json_schema or {}).get("description", "")
            info = info.type
        yield Option(field.name, text, tuple(_values(info)))


def _values(info: inspect.Type) -> Iterator[str]:
    match info:
        case inspect.BoolType():
            yield from ("true", "false")
        case inspect.LiteralType(values=values):
            yield from map(str, values)
