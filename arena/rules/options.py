"""Judging the options a person wrote against a variant's options type.

All that is allowed is read from the types themselves, so nothing here knows any option.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

import msgspec
from msgspec import inspect

from arena.rules.base import OptionProblem
from arena.text import did_you_mean, visible


def problems(
    options_type: type[msgspec.Struct], options: Mapping[str, object]
) -> tuple[OptionProblem, ...]:
    """Return what is wrong with each of `options`, in the order they were given."""
    types = {field.name: field.type for field in msgspec.structs.fields(options_type)}
    found = []
    for key, value in options.items():
        text = _problem(types[key], value) if key in types else _unknown(key, types)
        if text:
            found.append(OptionProblem(str(key), text))
    return tuple(found)


def _unknown(key: object, known: Iterable[str]) -> str:
    hint = did_you_mean(str(key), known) or f"options are {', '.join(known)}"
    return f"unknown option; {hint}"


def _problem(option_type: object, value: object) -> str | None:
    """Say what is allowed and what came instead; None if `value` is right."""
    try:
        msgspec.convert(value, option_type)
    except (msgspec.ValidationError, UnicodeEncodeError):  # the latter: no text in any encoding
        info = inspect.type_info(option_type)
        allowed, words = _allowed(info.type if isinstance(info, inspect.Metadata) else info)
        hint = did_you_mean(str(value), words)
        written = visible(json.dumps(value, default=str, ensure_ascii=False))
        got = f"expected {allowed}, got {written}"
        return f"{got}; {hint}" if hint else got
    return None


def _allowed(info: inspect.Type) -> tuple[str, tuple[str, ...]]:
    """Describe the values of a type, and list those of them that are words."""
    match info:
        case inspect.LiteralType(values=values):
            words = tuple(value for value in values if isinstance(value, str))
            return "one of " + ", ".join(json.dumps(value) for value in values), words
        case inspect.IntType(ge=lowest, le=highest):
            return f"a whole number from {lowest} to {highest}", ()
        case inspect.BoolType():
            return "true or false", ()
        case _:
            raise TypeError(f"an option may not be of the type {info}")
