"""`arena config show`: the whole config, and a config that means the same."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from arena import rules
from arena.tournament.config import Config, load_config, read_config
from arena.tournament.config.document import show_key
from arena.tournament.config.schema import config_schema
from arena.tournament.config.show import show_yaml, understand

SHIPPED = sorted((Path(__file__).parents[2] / "configs").glob("*.yaml"))
SCHEMA = Draft202012Validator(config_schema())


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Bots in two folders, submissions in a third."""
    folder = tmp_path_factory.mktemp("show")
    for name in ("bots/a.py", "bots/b.py", "team/bot.py", "subs/c.py", "subs/d/bot.py"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    return folder


def meaning(config: Config) -> Config:
    """A config but for its file, all options written out."""
    options = msgspec.to_builtins(rules.load(config.variant, config.options).options)
    return msgspec.structs.replace(config, path="", options=options)


def check_shown(path: Path, elsewhere: Path) -> None:
    """What is shown of a config means the same, from another folder too, in both forms."""
    understood = understand(read_config(path))
    SCHEMA.validate(understood.config)
    for line in show_yaml(understood).splitlines():
        assert re.match(r" *(- |# +)?\w+:", line), "a key has more than one line"
    elsewhere.mkdir(exist_ok=True)
    for text in (show_yaml(understood), yaml.safe_dump(understood.config)):
        (elsewhere / "shown.yaml").write_text(text, "utf-8")
        assert meaning(load_config(elsewhere / "shown.yaml")) == meaning(load_config(path))
        again = understand(read_config(elsewhere / "shown.yaml"))
        assert (again.config, again.defaults) == (understood.config, frozenset())


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_what_is_shown_of_a_shipped_config_means_the_same(path: Path, tmp_path: Path) -> None:
    check_shown(path, tmp_path)


CONFIGS = (
    "bots: ['bots/*.py']\n",
    "bots: []\nsubmissions: subs\n",
    """
bots: [bots/a.py, {path: team, command: [./x, '', 'a b'], limits: {game: null, grace: 0s}}]
submissions: subs
limits: {move: 1.5s, game: null, start: 2m}
faults: {no_start: stop, withdraw_after: null}
tables: 3
rating: {anchor: {c: -12.5, d: 1e+1}}
run: {workers: 2, finish: 90s}
seed: 007 is text
output: {dir: ../x}
options: {deck_size: 25, joker_upcard: redeal}
""",
)


@pytest.mark.parametrize("text", CONFIGS)
def test_what_is_shown_means_the_same(folder: Path, text: str) -> None:
    (folder / "tour.yaml").write_text(text.replace("1e+1", "1.0e+1"))
    check_shown(folder / "tour.yaml", folder / "elsewhere")


def test_what_comes_from_the_file_and_what_does_not(folder: Path) -> None:
    path = folder / "tour.yaml"
    path.write_text("boards: 7\nbots: [{path: bots/a.py, params: {x: 1}}]\nsubmissions: subs\n")
    lines = show_yaml(understand(read_config(path))).splitlines()
    shown = [" ".join(line.split()) for line in lines]
    for line in (
        "name: tour # default",
        "# seed: # default: drawn once, secret",
        "boards: 7",
        "limits:",
        "game: 1m # default",
        f"- path: {folder}/bots/a.py # bots/a.py",
        "name: a # default",
        "# command: # default: Python for .py files, else the file itself; bot.py of a folder",
        "params: {x: 1}",
        "limits: {} # default",
        f"submissions: {folder}/subs",
        f"# c: {folder}/subs/c.py",
        f"# d: {folder}/subs/d",
        "deck_size: 24 # default",
        f"dir: {folder}/results # default",
    ):
        assert line in shown
    short = [line for line in lines if "default" in line and str(folder) not in line]
    assert {line.index("# default") for line in short} == {lines[-1].index("#")}


def test_globs_are_named_where_they_found_a_bot(folder: Path) -> None:
    path = folder / "tour.yaml"
    path.write_text("bots: [{name: x, path: team}, 'bots/*.py']\n")
    understood = understand(read_config(path))
    assert understood.written_as == ("team", "bots/*.py", "bots/*.py")
    shown = {show_key(key) for key in understood.defaults}
    assert {"bots[1].name", "bots[2].params"} < shown
    assert not {"bots[0].name", "bots[0].path", "bots[1].path"} & shown


VALUES: Any = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63) + 1, 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")),
    lambda parts: (
        st.lists(parts, max_size=3)
        | st.dictionaries(st.text("ab:#\n\x1b-", max_size=3), parts, max_size=3)
    ),
    max_leaves=8,
)
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)


@settings(deadline=None, max_examples=40)
@given(params=st.dictionaries(TEXTS, VALUES, max_size=3), env=TEXTS, description=TEXTS)
def test_any_value_is_shown_as_it_is(
    folder: Path, params: dict[str, Any], env: str, description: str
) -> None:
    bot = {"path": "bots/a.py", "params": params, "env": {"X": env}, "command": ["x", env]}
    written = {"bots": [bot, "bots/b.py"], "description": description}
    (folder / "any.yaml").write_text(yaml.safe_dump(written), "utf-8")
    check_shown(folder / "any.yaml", folder / "elsewhere")
