"""`bot.yaml`: what a bot's folder says of it holds wherever the bot is named, and is checked."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from arena.errors import ConfigError, UserError
from arena.runtime.executor import Limits
from arena.tournament.config import BotEntry, load_config, read_config
from arena.tournament.config.bot_yaml import BotYaml, read_bot_yaml
from arena.tournament.config.entry import entry_at, make_entry
from arena.tournament.config.keys import BotKeys
from arena.tournament.config.show import show_yaml, understand
from arena.tournament.identity import bot_spec
from arena.tournament.snapshot import Snapshot
from arena.tournament.submit import submit

ROOT = Path(__file__).parents[2]
GOOD_BOT = (ROOT / "bots/random_bot.py").read_text()


@pytest.fixture
def league(tmp_path: Path) -> Path:
    """A config with one bot of its own, which takes submissions."""
    (tmp_path / "ours.py").write_text(GOOD_BOT)
    configure(tmp_path, ["ours.py"])
    return tmp_path


def configure(folder: Path, bots: list[object], **keys: object) -> None:
    common = {"submissions": "subs", "options": {"target_score": 2}, "isolation": "none"}
    config = {"bots": bots, **common, **keys}
    (folder / "league.yaml").write_text(json.dumps(config))


def folder_bot(folder: Path, bot_yaml: str, main: str = "bot.py", source: str = GOOD_BOT) -> Path:
    folder.mkdir(parents=True)
    (folder / "bot.yaml").write_text(bot_yaml)
    (folder / main).write_text(source)
    (folder / main).chmod(0o755)
    return folder


def bot_of(league: Path, name: str) -> BotEntry:
    (found,) = [bot for bot in load_config(league / "league.yaml").bots if bot.name == name]
    return found


WHOLE = "name: monte\ncommand: [./monte, --fast]\nparams: {worlds: 30}\nenv: {A: b}\n"
BUILT = f"{WHOLE}build: [make, -j2]\n"


def test_all_of_it(tmp_path: Path) -> None:
    folder = folder_bot(tmp_path / "x", BUILT, "monte")
    assert read_bot_yaml(folder) == BotYaml(
        "monte", ("./monte", "--fast"), ("make", "-j2"), {"worlds": 30}, {"A": "b"}
    )
    assert entry_at(folder, Limits()).build == ("make", "-j2")
    assert read_bot_yaml(tmp_path) == BotYaml()


@pytest.mark.parametrize("how", ["submissions", "bots", "path"])
def test_it_holds_wherever_the_bot_is_named(league: Path, how: str) -> None:
    folder = folder_bot(league / ("subs" if how == "submissions" else "theirs") / "x", WHOLE, "m")
    configure(league, ["ours.py", *([{"path": "theirs/x"}] if how == "bots" else ())])
    entry = entry_at(folder, Limits()) if how == "path" else bot_of(league, "monte")
    assert entry.path == str(folder)
    assert entry.command == ("./monte", "--fast")
    assert (entry.params, entry.env, entry.own_limits) == ({"worlds": 30}, {"A": "b"}, {})


def test_what_the_config_says_goes_before(league: Path) -> None:
    folder_bot(league / "x", WHOLE, "monte")
    given = {"path": "x", "name": "m", "command": ["./n"], "params": {"p": 1}, "env": {"B": "c"}}
    configure(league, ["ours.py", given])
    entry = bot_of(league, "m")
    assert (entry.command, entry.params, entry.env) == (("./n",), {"p": 1}, {"B": "c"})


def test_a_shown_config_means_the_same(league: Path) -> None:
    folder_bot(league / "x", WHOLE, "monte")
    configure(league, ["ours.py", {"path": "x"}])
    shown = show_yaml(understand(read_config(league / "league.yaml")))
    before = load_config(league / "league.yaml").bots
    (league / "league.yaml").write_text(shown)
    assert load_config(league / "league.yaml").bots == before


def test_a_bot_py_needs_no_command(tmp_path: Path) -> None:
    entry = entry_at(folder_bot(tmp_path / "team", "params: {a: 1}\n"), Limits())
    assert (entry.name, entry.main, entry.command) == ("team", "bot.py", None)


# what is wrong


WRONG = """\
nmae: monte
command: []
params: 3
limits: {move: 10s}
env: {ARENA_TOKEN: a, 1a: b}
"""
SAID = """\
{file}:1:1: nmae: unknown key; did you mean "name"?
     1 | nmae: monte
       | ^
error: {file}:2:10: command: is empty; give the words of a command
     2 | command: []
       |          ^
error: {file}:3:9: params: expected a mapping, got 3
     3 | params: 3
       |         ^
error: {file}:4:1: limits: unknown key; keys are name, command, build, params, env
     4 | limits: {{move: 10s}}
       | ^
error: {file}:5:7: env.ARENA_TOKEN: names with ARENA_ belong to the arena
     5 | env: {{ARENA_TOKEN: a, 1a: b}}
       |       ^
error: {file}:5:23: env.1a: is no name of an environment variable: it may hold A to Z, a to z, \
0 to 9 and _, but no digit first
     5 | env: {{ARENA_TOKEN: a, 1a: b}}
       |                       ^
6 errors in {file}"""


def test_all_mistakes_are_told_with_their_places(tmp_path: Path) -> None:
    folder = folder_bot(tmp_path / "x", WRONG)
    with pytest.raises(ConfigError) as error:
        read_bot_yaml(folder)
    assert str(error.value) == SAID.format(file=folder / "bot.yaml")
    assert {problem.file for problem in error.value.problems} == {str(folder / "bot.yaml")}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "bot.yaml:1:1: is empty; delete it, or say how the bot is run: command: [./my_bot]"),
        ("params: {a: 1}", "bot.yaml:1:1: command: is missing, and there is no bot.py; say how"),
        ("- a", "bot.yaml:1:1: expected a mapping with keys such as name, command, build"),
        ("command: [a]\nbuild: []", "bot.yaml:2:8: build: is empty; give the words of a command"),
        ("name: a b", 'bot.yaml:1:7: name: "a b" is no bot name'),
        ("name: no", "bot.yaml:1:7: name: "),
        ("name: a\nname: b", "bot.yaml:2:1: name: "),
        ("\0\0\0\0\0", "bot.yaml:1:1: is no text"),
        ("command: [a", "bot.yaml:1:"),
    ],
)
def test_a_mistake(tmp_path: Path, text: str, said: str) -> None:
    folder = folder_bot(tmp_path / "x", text, "other")
    with pytest.raises(ConfigError) as error:
        entry_at(folder, Limits())
    assert f"{folder}/{said}" in str(error.value)


def test_mistakes_in_the_config_and_in_bot_yaml_are_told_together(league: Path) -> None:
    folder_bot(league / "subs" / "x", "nmae: a")
    folder_bot(league / "y", "comand: [a]")
    configure(league, ["ours.py", {"path": "y"}], bords=3)
    with pytest.raises(ConfigError) as error:
        load_config(league / "league.yaml")
    assert [problem.key for problem in error.value.problems] == ["bords", "comand", "nmae"]
    assert error.value.number == 3
    assert str(error.value).count("\nerror: ") == 2


def test_a_bot_yaml_that_is_wrong_makes_no_other_mistakes(league: Path) -> None:
    """The bot is there all the same: whoever names it is not told that it is not."""
    folder_bot(league / "x", "nmae: a")
    configure(league, ["ours.py", {"path": "x"}], rating={"anchor": {"x": 1000}})
    with pytest.raises(ConfigError) as error:
        load_config(league / "league.yaml")
    assert [problem.key for problem in error.value.problems] == ["nmae"]


def test_a_link_is_not_followed(league: Path) -> None:
    """What it leads to would be shown."""
    (league / "secret").write_text("password: 1")
    folder = folder_bot(league / "subs" / "x", "")
    (folder / "bot.yaml").unlink()
    (folder / "bot.yaml").symlink_to(league / "secret")
    with pytest.raises(UserError, match=r"x/bot\.yaml: is a link") as error:
        load_config(league / "league.yaml")
    assert "password" not in str(error.value)


def test_a_pipe_is_not_waited_for(league: Path) -> None:
    folder = folder_bot(league / "subs" / "x", "")
    (folder / "bot.yaml").unlink()
    os.mkfifo(folder / "bot.yaml")
    with pytest.raises(UserError, match="a device or a pipe"):
        load_config(league / "league.yaml")


# submitted


READS_PARAMS = GOOD_BOT.replace(
    "return self", "assert self.params == {'worlds': 30}\n        return self"
)
RUN = f"#!/bin/sh\ntest $A = b && test $1 = --fast && exec {sys.executable} -u program.py #"


def test_a_folder_with_a_command_is_submitted_under_its_name(league: Path) -> None:
    """A new version of it may come from any folder."""
    for number, folder in enumerate((league / "v1", league / "v2")):
        folder_bot(folder, WHOLE, "monte", f"{RUN} {number}\n")
        (folder / "program.py").write_text(READS_PARAMS)
        place = submit(load_config(league / "league.yaml"), folder, lambda _: None)
        assert place == league / "subs" / "monte"
        assert f"# {number}" in (place / "monte").read_text()
    assert [bot.name for bot in load_config(league / "league.yaml").bots] == ["ours", "monte"]


def test_a_name_that_another_bot_has(league: Path) -> None:
    folder = folder_bot(league / "x", "name: ours")
    with pytest.raises(UserError, match=r'"ours" is already the name of .*ours\.py'):
        submit(load_config(league / "league.yaml"), folder, lambda _: None)


def test_the_examples_of_the_page_are_right(tmp_path: Path) -> None:
    page = (ROOT / "bots/README.md").read_text("utf-8")
    section = page.partition("## A folder")[2].partition("\n## ")[0]
    examples = re.findall(r"^```yaml\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
    assert len(examples) == 2
    for number, text in enumerate(examples):
        found = read_bot_yaml(folder_bot(tmp_path / str(number), text))
        assert found.command is not None


# which program is run


@pytest.mark.parametrize(
    ("given", "own", "is_given"),
    [
        ({}, {}, False),
        ({}, {"command": ("/opt/tool",)}, False),
        ({"env": {"PATH": "/opt"}}, {"command": ("tool",)}, False),
        ({"command": ("/opt/tool",)}, {"command": ("./own",)}, True),
        ({"command": ("tool",)}, {"command": ("tool",)}, True),
    ],
)
def test_only_what_a_config_names_may_be_shown_in_a_sandbox(
    given: dict[str, Any], own: dict[str, Any], is_given: bool
) -> None:
    entry = make_entry(Path("/bots/a"), BotKeys("a", **given), BotYaml(**own), Limits())
    assert entry.command_is_given is is_given
    assert bot_spec(entry, Snapshot("", "/bots/a"), "a@1").shows_program is is_given
