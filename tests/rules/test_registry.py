"""Finding variants, and what is said about options that are wrong."""

from __future__ import annotations

import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena import rules
from arena.errors import UserError

NEW_VARIANT = """
from arena.rules.base import Variant
from arena.rules.two_handed import Options, TwoHanded, conflicts

class Short(TwoHanded, frozen=True):
    @property
    def name(self) -> str:
        return "short"

VARIANT = Variant("short", Options, conflicts, Short)
"""

DEFAULTS: dict[str, object] = {
    "deck_size": 24,
    "joker_upcard": "H",
    "ordered_pickup": "optional",
    "may_discard_upcard": False,
    "may_name_turned_down_suit": False,
    "stick_the_dealer": False,
    "dealer_after_throw_in": "next",
    "throw_in_cap": 20,
    "play_out": True,
    "points_made": 1,
    "points_march": 2,
    "points_euchre": 2,
    "target_score": 10,
}


def texts(options: dict[Any, object]) -> list[tuple[str, str]]:
    return [(one.key, one.text) for one in rules.check("two_handed", options)]


def test_two_handed_is_there() -> None:
    assert "two_handed" in rules.names()
    loaded = rules.load("two_handed")
    assert (loaded.name, loaded.seats) == ("two_handed", 2)
    assert loaded == rules.load("two_handed", {})


def test_a_new_variant_is_a_new_file_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "short.py").write_text(NEW_VARIANT)
    monkeypatch.setattr(rules, "__path__", [*rules.__path__, str(tmp_path)])
    rules._variants.cache_clear()
    try:
        assert rules.names() == ("short", "two_handed")
        assert rules.load("short").name == "short"
    finally:
        rules._variants.cache_clear()
        sys.modules.pop("arena.rules.short", None)


def test_variants_are_imported_when_first_asked_for() -> None:
    code = "import sys, arena.rules; sys.exit('arena.rules.two_handed' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_an_unknown_variant_is_refused_with_a_hint() -> None:
    with pytest.raises(UserError, match=r"no variant 'two_hand'; did you mean \"two_handed\"\?"):
        rules.load("two_hand")
    with pytest.raises(UserError, match="no variant 'bridge'; variants are two_handed"):
        rules.check("bridge", {})


def test_all_problems_are_told_at_once_in_the_order_given() -> None:
    assert texts(
        {
            "target_score": 0,
            "stick_dealer": True,
            "deck_size": 26,
            "ordered_pickup": "mandatry",
            "x": 1,
        }
    ) == [
        ("target_score", "expected a whole number from 1 to 1000, got 0"),
        ("stick_dealer", 'unknown option; did you mean "stick_the_dealer"?'),
        ("deck_size", "expected one of 24, 25, 32, 33, got 26"),
        (
            "ordered_pickup",
            'expected one of "mandatory", "optional", got "mandatry"; did you mean "mandatory"?',
        ),
        ("x", f"unknown option; options are {', '.join(DEFAULTS)}"),
    ]


WORDS = ("joker_upcard", "ordered_pickup", "dealer_after_throw_in")
NUMBERS = ("throw_in_cap", "points_made", "points_march", "points_euchre", "target_score")
SWITCHES = (
    *("may_discard_upcard", "may_name_turned_down_suit"),
    *("stick_the_dealer", "play_out"),
)


NOT_A_WORD: tuple[object, ...] = ("", "h", "Next", None, True, 1, ["same"], "\udcff")
NOT_A_NUMBER: tuple[object, ...] = (0, -1, 1001, True, 1.0, 1.5, "1", None, [], 10**30, "\udcff")
NOT_A_SWITCH: tuple[object, ...] = (0, 1, "true", "no", None, [])
NOT_A_DECK: tuple[object, ...] = (0, 23, 26, 24.0, "24", True, None, {})


@pytest.mark.parametrize(
    ("key", "value"),
    [
        *product(WORDS, NOT_A_WORD),
        *product(NUMBERS, NOT_A_NUMBER),
        *product(SWITCHES, NOT_A_SWITCH),
        *product(["deck_size"], NOT_A_DECK),
    ],
)
def test_a_value_of_the_wrong_kind_is_refused(key: str, value: object) -> None:
    ((found, text),) = texts({key: value})
    assert found == key
    assert text.startswith("expected ")
    with pytest.raises(UserError, match=f"option {key}: expected "):
        rules.load("two_handed", {key: value})


@pytest.mark.parametrize(
    ("key", "values"),
    [
        ("deck_size", (24, 25, 32, 33)),
        ("ordered_pickup", ("optional", "mandatory")),
        ("dealer_after_throw_in", ("next", "same")),
        *((key, (1, 2, 999, 1000)) for key in NUMBERS),
        *((key, (False, True)) for key in SWITCHES),
    ],
)
def test_every_allowed_value_is_taken(key: str, values: tuple[object, ...]) -> None:
    for value in values:
        assert texts({key: value}) == []
        assert getattr(rules.load("two_handed", {key: value}).options, key) == value


@pytest.mark.parametrize("deck_size", [24, 25, 32, 33])
@pytest.mark.parametrize(
    "joker_upcard", ["C", "D", "H", "S", "dealer_declares", "dealer_makes", "redeal"]
)
def test_what_a_joker_does_needs_a_joker(deck_size: int, joker_upcard: str) -> None:
    """2H-3.5; the default may stand, written out or not."""
    wrong = deck_size in {24, 32} and joker_upcard != "H"
    found = texts({"deck_size": deck_size, "joker_upcard": joker_upcard})
    text = f"needs a pack with a joker: deck_size 25 or 33, not {deck_size}"
    assert found == ([("joker_upcard", text)] if wrong else [])


def test_the_defaults_are_those_of_the_rules() -> None:
    loaded = msgspec.to_builtins(rules.load("two_handed").options)
    assert list(loaded.items()) == list(DEFAULTS.items())


@pytest.mark.parametrize("name", rules.names())
def test_every_option_is_described_and_has_a_default(name: str) -> None:
    schema = msgspec.json.schema(type(rules.load(name).options))
    (definition,) = schema["$defs"].values()
    for key, option in definition["properties"].items():
        assert option["description"].endswith("."), key
        assert "default" in option, key


def test_a_default_narrower_than_the_letter_of_the_page_says_so() -> None:
    """2H-5.3: of 2H-4.6, 2H-5.3 and 2H-5.7."""
    schema = msgspec.json.schema(type(rules.load("two_handed").options))
    properties = schema["$defs"]["Options"]["properties"]
    narrower = [key for key in properties if "narrower" in properties[key]["description"]]
    assert narrower == ["may_discard_upcard", "may_name_turned_down_suit", "throw_in_cap"]
