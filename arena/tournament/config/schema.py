"""The JSON Schema of a config, for editors: made from the types that `load_config` reads with."""

from __future__ import annotations

from typing import Any

import msgspec

from arena import rules
from arena.tournament.config.keys import ConfigKeys
from arena.tournament.config.mappings import Keys, key_fields


def config_schema() -> dict[str, Any]:
    """Describe all configs that a schema can see to be right (JSON Schema 2020-12).

    It does not see files, nor what YAML 1.1 reads otherwise than it looks.
    """
    names = rules.names()
    schema = Keys(ConfigKeys).schema()
    schema["properties"]["variant"]["enum"] = list(names)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "arena config",
        "description": "One tournament. Only bots is required. Paths are relative to the config.",
        **schema,
        "allOf": [_options_of(name) for name in names],
        "$defs": {f"options_{name}": options_schema(name) for name in names},
    }


def options_schema(variant: str) -> dict[str, Any]:
    """Describe the options of a variant."""
    options_type = type(rules.load(variant).options)
    schema = msgspec.json.schema(options_type)["$defs"][options_type.__name__]
    return {
        "description": f"The options of {variant}.",
        "type": "object",
        "properties": {
            name: {key: value for key, value in one.items() if key != "title"}
            for name, one in schema["properties"].items()
        },
        "additionalProperties": False,
    }


def _options_of(name: str) -> dict[str, Any]:
    """Demand the options of a variant where it is chosen, if only by default."""
    chosen: dict[str, Any] = {"properties": {"variant": {"const": name}}}
    if name != key_fields(ConfigKeys)["variant"].default:
        chosen["required"] = ["variant"]
    return {
        "if": chosen,
        "then": {"properties": {"options": {"$ref": f"#/$defs/options_{name}"}}},
    }
