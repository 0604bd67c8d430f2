"""The JSON Schema of every message, generated from the types: it cannot tell another story.

What is said of a message or a field is the docstring that stands beside it.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any

import msgspec

from arena.protocol.messages import (
    PROTOCOL_VERSION,
    Act,
    Bye,
    Decide,
    Fail,
    GameEnd,
    GameStart,
    Hello,
    Welcome,
    WireFault,
    WireLimits,
)

_FROM_BOT = (Hello, Act, Fail)
_FROM_ARENA = (Welcome, GameStart, Decide, GameEnd, Bye)
_PARTS = (WireFault, WireLimits)


def protocol_schema(views: Mapping[str, type[msgspec.Struct]]) -> dict[str, Any]:
    """Describe both directions' frames (JSON Schema 2020-12).

    `views` gives, by variant name, the type of a decision's `view`; it is described under
    ``$defs/view_<variant>``.
    """
    types: tuple[type, ...] = (*_FROM_BOT, *_FROM_ARENA, *_PARTS, *views.values())
    _, components = msgspec.json.schema_components(types, ref_template="#/$defs/{name}")
    for kind in types:
        _describe(components[kind.__name__], kind)
    any_view = {"anyOf": [_ref(f"view_{name}") for name in views]}
    components["Decide"]["properties"]["view"] |= any_view
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"arena protocol {PROTOCOL_VERSION}",
        "description": "One frame: a JSON array of messages. Fields not named here are ignored.",
        "anyOf": [_ref("frame_from_bot"), _ref("frame_from_arena")],
        "$defs": {
            "frame_from_bot": _frame("What a bot sends; empty when it is ready.", _FROM_BOT),
            "frame_from_arena": {
                **_frame("What the arena sends.", _FROM_ARENA),
                "minItems": 1,
            },
            **{f"view_{name}": _ref(view.__name__) for name, view in views.items()},
            **dict(sorted(components.items())),
        },
    }


def _frame(text: str, messages: Iterable[type]) -> dict[str, Any]:
    one_of_them = {"anyOf": [_ref(kind.__name__) for kind in messages]}
    return {"description": text, "type": "array", "items": one_of_them}


def _ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/$defs/{name}"}


def _describe(schema: dict[str, Any], kind: type) -> None:
    """Put the docstrings of a type and its fields into its schema."""
    schema["description"] = _first_paragraph(kind.__doc__ or "")
    for field, text in _field_texts(kind):
        prop = schema["properties"][field]
        schema["properties"][field] = {"description": _first_paragraph(text), **prop}


def _field_texts(kind: type) -> Iterator[tuple[str, str]]:
    """Yield the fields of a class that have a docstring below them, and the docstrings."""
    (definition,) = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
    assert isinstance(definition, ast.ClassDef)  # noqa: S101 - a class is what was asked for
    for field, text in pairwise(definition.body):
        match field, text:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(ast.Constant(str(words))):
                yield name, words


def _first_paragraph(text: str) -> str:
    return " ".join(inspect.cleandoc(text).split("\n\n")[0].split())
