"""`arena config check`, `show` and `schema`: what they print, for people and for programs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from commands import Tournament, arena, call, new_tournament
from jsonschema import Draft202012Validator


@pytest.fixture
def tournament(tmp_path: Path) -> Tournament:
    return new_tournament(tmp_path, "a", "b")


def test_a_right_config(tournament: Tournament, capfd: pytest.CaptureFixture[str]) -> None:
    done = call(capfd, "config", "check", tournament.config)
    assert (done.code, done.err) == (0, "")
    plan = "2 bots, 1 match x 3 boards = 6 games of two_handed"
    assert done.out == f"{tournament.config}: ok: {plan}\n"
    assert not (tournament.folder / "results").exists()


def test_a_right_config_as_json(tournament: Tournament, capfd: pytest.CaptureFixture[str]) -> None:
    done = call(capfd, "config", "check", "--json", tournament.config)
    assert (done.code, done.err) == (0, "")
    assert done.out == (
        '{"schema":"arena.config-check/1","tournament":"tour","bots":["a","b"],"matches":1,'
        '"games":6,"problems":[],"number":0}\n'
    )


NOTHING: dict[str, Any] = {
    "schema": "arena.config-check/1",
    "tournament": None,
    "bots": [],
    "matches": None,
    "games": None,
}


def test_what_is_wrong_as_json(tournament: Tournament, capfd: pytest.CaptureFixture[str]) -> None:
    tournament.config.write_text("bots: [a.py, b.py]\nlimits: {move: 5}\nbord: 1\n")
    done = call(capfd, "config", "check", "--json", tournament.config)
    assert (done.code, done.err) == (2, "")
    assert json.loads(done.out) == NOTHING | {
        "problems": [
            {
                "file": None,
                "line": 2,
                "column": 16,
                "key": "limits.move",
                "text": "5 has no unit; write 5ms, 5s or 5m",
            },
            {
                "file": None,
                "line": 3,
                "column": 1,
                "key": "bord",
                "text": 'unknown key; did you mean "boards"?',
            },
        ],
        "number": 2,
    }


def test_no_file_as_json(tournament: Tournament, capfd: pytest.CaptureFixture[str]) -> None:
    done = call(capfd, "config", "check", "--json", "nowhere.yaml")
    assert (done.code, done.err) == (2, "")
    text = "nowhere.yaml: no such file"
    problem = {"file": None, "line": None, "column": None, "key": "", "text": text}
    assert json.loads(done.out) == NOTHING | {"problems": [problem], "number": 1}


def test_very_much_wrong_as_json(tournament: Tournament, capfd: pytest.CaptureFixture[str]) -> None:
    lines = "".join(f"x{number}: 1\n" for number in range(10_000))
    tournament.config.write_text("bots: [a.py, b.py]\n" + lines)
    found = json.loads(call(capfd, "config", "check", "--json", tournament.config).out)
    assert found["number"] == 10_000
    assert [one["line"] for one in found["problems"]] == list(range(2, 52))


def test_a_shown_config_is_one(tournament: Tournament, capfd: pytest.CaptureFixture[str]) -> None:
    done = call(capfd, "config", "show", tournament.config)
    assert (done.code, done.err) == (0, "")
    assert f"path: {tournament.folder}/a.py" in done.out
    other = tournament.folder / "shown.yaml"
    other.write_text(done.out)
    again = call(capfd, "config", "show", other)
    assert yaml.safe_load(again.out) == yaml.safe_load(done.out)
    assert "# default" in done.out
    assert "default" not in again.out.replace("default: ", "")


def test_a_shown_config_as_json(tournament: Tournament, capfd: pytest.CaptureFixture[str]) -> None:
    (tournament.folder / "subs").mkdir()
    (tournament.folder / "subs/c.py").touch()
    tournament.configure("a.py", submissions="subs")
    shown = json.loads(call(capfd, "config", "show", "--json", tournament.config).out)
    assert list(shown) == ["schema", "path", "results", "config", "defaults", "submitted"]
    assert shown["schema"] == "arena.config-show/1"
    assert shown["path"] == str(tournament.config)
    assert shown["results"] == str(tournament.results)
    assert shown["submitted"] == [{"name": "c", "path": f"{tournament.folder}/subs/c.py"}]
    assert shown["config"]["limits"]["move"] == "1s"
    assert {"limits.move", "bots[0].name"} < set(shown["defaults"])
    assert "boards" not in shown["defaults"]
    plain = call(capfd, "config", "show", tournament.config).out
    assert yaml.safe_load(plain) == shown["config"]


def test_a_wrong_config_is_not_shown(
    tournament: Tournament, capfd: pytest.CaptureFixture[str]
) -> None:
    tournament.config.write_text("bots: [a.py, b.py]\nboards: 0\n")
    checked = call(capfd, "config", "check", tournament.config)
    for options in ((), ("--json",)):
        assert call(capfd, "config", "show", *options, tournament.config) == checked
    assert (checked.code, checked.out) == (2, "")


@pytest.mark.parametrize("command", ["check", "show"])
def test_every_key_of_their_json_is_explained(
    tournament: Tournament, capfd: pytest.CaptureFixture[str], command: str
) -> None:
    readme = (Path(__file__).parents[2] / "configs/README.md").read_text("utf-8")
    done = call(capfd, "config", command, "--json", tournament.config)
    table = readme.partition(f"config {command} CONFIG --json` prints")[2].partition("\n## ")[0]
    assert [key for key in json.loads(done.out) if f"`{key}`" not in table] == []


def test_the_schema(tournament: Tournament) -> None:
    done = arena("config", "schema", folder=tournament.folder)
    assert (done.code, done.err) == (0, "")
    schema = json.loads(done.out)
    Draft202012Validator.check_schema(schema)
    Draft202012Validator(schema).validate(json.loads(tournament.config.read_text()))
