"""`arena config schema`: true to what `load_config` takes, as far as a schema can see."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml
from jsonschema import Draft202012Validator
from jsonschema.protocols import Validator

from arena import rules
from arena.tournament.config import load_config
from arena.tournament.config.keys import BotKeys, ConfigKeys, LimitKeys
from arena.tournament.config.mappings import Keys
from arena.tournament.config.schema import config_schema, options_schema

ROOT = Path(__file__).parents[2]
SHIPPED = sorted((ROOT / "configs").glob("*.yaml"))


@pytest.fixture(scope="module")
def schema() -> dict[str, Any]:
    return config_schema()


@pytest.fixture(scope="module")
def validator(schema: dict[str, Any]) -> Validator:
    return Draft202012Validator(schema)


def test_it_is_a_schema(schema: dict[str, Any]) -> None:
    Draft202012Validator.check_schema(schema)


def test_every_key_and_option_is_described(schema: dict[str, Any]) -> None:
    def silent(part: Any, above: str = "") -> list[str]:
        found = []
        for name, one in part.get("properties", {}).items():
            found += [] if one.get("description") else [above + name]
            found += silent(one, f"{above}{name}.")
        return found

    (options,) = schema["$defs"].values()
    entry = schema["properties"]["bots"]["items"]["anyOf"][1]
    assert silent(schema) == silent(options) == silent(entry) == []
    assert len(schema["properties"]) == len(msgspec.structs.fields(ConfigKeys))
    assert len(entry["properties"]) == len(msgspec.structs.fields(BotKeys))


def test_what_an_editor_shows_of_a_key(schema: dict[str, Any]) -> None:
    assert schema["properties"]["limits"]["properties"]["grace"] == {
        "type": "string",
        "pattern": r"^[0-9]+(\.[0-9]+)? ?(ms|s|m|h)$",
        "description": "On top of each limit of a decision, for transport.\n\n"
        "A time from 0s to 10s.",
        "default": "50ms",
    }
    assert schema["properties"]["name"]["description"] == (
        "Names the results folder.\n\nA name.\n\n"
        "Default: the file's name without its ending.\n\n"
        "A change once there are results: begins in another results folder."
    )
    assert schema["properties"]["variant"]["enum"] == list(rules.names())


def test_limits_of_one_bot_have_no_default_of_their_own(schema: dict[str, Any]) -> None:
    limits = schema["properties"]["bots"]["items"]["anyOf"][1]["properties"]["limits"]
    assert list(limits["properties"]) == list(Keys(LimitKeys).schema()["properties"])
    assert not any("default" in one for one in limits["properties"].values())


def test_the_options_are_those_of_the_variant() -> None:
    schema = options_schema("two_handed")["properties"]
    plain = msgspec.to_builtins(rules.load("two_handed").options)
    assert {name: one["default"] for name, one in schema.items()} == plain
    assert schema["deck_size"]["enum"] == [24, 25, 32, 33]
    assert (schema["target_score"]["minimum"], schema["target_score"]["maximum"]) == (1, 1000)


def defaults(schema: Any) -> Any:
    """What a schema says is in force without any key; a mapping that needs some is not."""
    parts = {
        name: defaults(one)
        for name, one in schema.get("properties", {}).items()
        if not one.get("required")
    }
    return {k: v for k, v in parts.items() if v is not None} or schema.get("default")


def test_the_defaults_written_out_change_nothing(tmp_path: Path, schema: dict[str, Any]) -> None:
    for name in ("a.py", "b.py"):
        (tmp_path / name).touch()
    config = tmp_path / "x.yaml"
    config.write_text("bots: [a.py, b.py]")
    plain = load_config(config)
    written = {"bots": ["a.py", "b.py"]} | defaults(schema)
    assert len(written) == 14
    config.write_text(yaml.safe_dump(written))
    assert load_config(config) == plain


@pytest.mark.parametrize("file", SHIPPED, ids=lambda file: file.name)
def test_shipped_configs_are_valid(file: Path, validator: Validator) -> None:
    validator.validate(yaml.safe_load(file.read_text()))


SEEN = (
    *("a_bot_as_a_key", "a_bot_that_is_a_list", "a_date_as_a_name", "a_date_as_a_seed"),
    *("a_key_twice_in_two_forms", "a_list_alone", "a_list_as_a_seed", "a_number_as_a_name"),
    *("a_variant_like_none", "all_at_once", "an_alias_of_itself", "anchor"),
    *("anchor_of_a_bot_that_is_wrong", "below_a_misspelt_key", "boards", "bots_as_a_mapping"),
    *("bots_missing_but_submissions", "bots_not_a_list", "bots_that_are_nothing"),
    *("byte_order_mark", "commands", "confidence", "confidence_that_is_none", "duplicate_key"),
    *("empty", "empty_value", "env", "exponent", "ini", "keys_at_the_wrong_level"),
    *("keys_in_capitals", "keys_nobody_can_read", "keys_with_dashes_and_blanks", "later_keys"),
    *("limits_of_a_bot", "long_names", "misspelt_beside_the_right_one", "negative_and_large"),
    *("nested_deeply", "no_bank_but_only_there", "no_bots_key", "no_is_false", "no_name"),
    *("no_path", "no_space_behind_an_inner_colon", "no_space_behind_the_only_colon"),
    *("nothing_where_something_is_due", "numbers", "old_line_ends", "options"),
    *("options_as_a_list", "options_of_a_misspelt_variant", "options_of_the_wrong_kind"),
    *("rules_for_faults", "seeds", "sexagesimal", "submissions_of_the_wrong_kind", "tables"),
    *("times", "times_in_words", "times_that_are_none", "too_long_a_number", "true_is_no_number"),
    *("units", "unknown_key", "unknown_key_like_none", "unknown_options", "variant"),
    *("whole_numbers", "whole_numbers_that_look_otherwise", "wide_letters", "windows_line_ends"),
    *("words_in_capitals", "words_that_are_no_text", "workers"),
)
"""Wrong configs that need no look at files, nor at the text behind a value, to be found wrong."""


@pytest.mark.parametrize("name", SEEN)
def test_wrong_configs_are_not(name: str, validator: Validator) -> None:
    text = (ROOT / f"tests/data/configs/wrong/{name}.yaml").read_text()
    assert not validator.is_valid(yaml.safe_load(text))


@pytest.mark.parametrize(
    "change",
    [
        {"bots": [{"path": "a.py", "limits": {"move": "1"}}, "b.py"]},
        {"bots": [{"path": "a.py", "limits": {"move": None}}, "b.py"]},
        {"bots": [{"path": "", "params": {}}, "b.py"]},
        {"bots": [{"path": "a.py", "params": []}, "b.py"]},
        {"bots": [{"path": "a.py", "env": {"ARENA_TOKEN": "x"}}, "b.py"]},
        {"bots": [{"path": "a.py", "sandbox": True}, "b.py"]},
        {"options": {"deck_size": 23}},
        {"variant": "two_handed", "options": {"deck_size": 23}},
        {"options": {"joker": True}},
        {"seed": 1.5},
        {"seed": ""},
        {"faults": {"withdraw_after": "null"}},
        {"rating": {"anchor": {"a": "1000"}}},
        {"output": "results"},
    ],
    ids=str,
)
def test_nor_are_others(change: dict[str, Any], validator: Validator) -> None:
    assert validator.is_valid({"bots": ["a.py", "b.py"]})
    assert not validator.is_valid({"bots": ["a.py", "b.py"]} | change)
