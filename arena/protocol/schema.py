"""The JSON Schema of every message, generated from the types: it cannot tell another story."""

from __future__ import annotations

from collections.abc import Mapping
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
)

_FROM_BOT = (Hello, Act, Fail)
_FROM_ARENA = (Welcome, GameStart, Decide, GameEnd, Bye)


def protocol_schema(views: Mapping[str, type[msgspec.Struct]]) -> dict[str, Any]:
    """Describe both directions' frames (JSON Schema 2020-12).

    `views` gives, by variant name, the type of a decision's `view`; it is described under
    ``$defs/view_<variant>``.
    """
    types = (*_FROM_BOT, *_FROM_ARENA, *views.values())
    schemas, components = msgspec.json.schema_components(types, ref_template="#/$defs/{name}")
    by_type = dict(zip(types, schemas, strict=True))
    view_refs = {f"view_{name}": by_type[view] for name, view in views.items()}
    components["Decide"]["properties"]["view"] = {
        "description": "All that the seat may know, by the variant of its game_start.",
        "anyOf": [{"$ref": f"#/$defs/{name}"} for name in view_refs],
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"arena protocol {PROTOCOL_VERSION}",
        "anyOf": [{"$ref": "#/$defs/frame_from_bot"}, {"$ref": "#/$defs/frame_from_arena"}],
        "$defs": {
            "frame_from_bot": _frame([by_type[kind] for kind in _FROM_BOT]),
            "frame_from_arena": _frame([by_type[kind] for kind in _FROM_ARENA]),
            **view_refs,
            **dict(sorted(components.items())),
        },
    }


def _frame(messages: list[Any]) -> dict[str, Any]:
    return {"type": "array", "items": {"anyOf": messages}}
