"""Which bot is asked, and how it is started."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from arena.store.rows import BotVersion
from arena.tools.replay.asked import _meant, _seat, _spec


def version(name: str, number: int, *, current: bool = False, **spec: Any) -> BotVersion:
    return BotVersion(name, number, f"hash {number}", spec, current)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a.py"
    path.touch()
    return path


def test_of_versions_of_a_name_the_one_that_sat_there_tells_the_params(file: Path) -> None:
    known = [version("a", n, current=n == 2, path=str(file), params={"n": n}) for n in (1, 2, 3)]
    other = version("b", 1, path="/b.py")
    meant = _meant(str(file), [known[0], other])
    assert _seat(meant, [other, known[0]]) == 1
    for sat, params in ((known[0], 1), (known[2], 3), (other, 2)):
        spec = _spec(meant, sat, [*known, other])
        assert (spec.name, spec.params, spec.folder) == ("a", {"n": params}, str(file.parent))
        assert spec.argv == (sys.executable, "-u", "a.py")


def test_a_bot_is_known_by_its_path_whatever_it_is_called(file: Path) -> None:
    sat = [version("monte", 1, path=str(file), env={"X": "1"}), version("a", 1, path="/b.py")]
    for given in (str(file), "monte", "MONTE@1"):
        meant = _meant(given, sat[:1])
        assert meant.path == str(file)
        assert _spec(meant, sat[0], sat).env == {"X": "1"}


def test_a_bot_with_a_command_may_be_a_folder_without_bot_py(tmp_path: Path) -> None:
    folder = tmp_path / "theirs"
    folder.mkdir()
    sat = [version("theirs", 1, path=str(folder), command=["./run", "--fast"])]
    for given in (str(folder), "theirs"):
        spec = _spec(_meant(given, sat), sat[0], sat)
        assert (spec.argv, spec.folder) == (("./run", "--fast"), str(folder))


def test_a_stranger_has_no_params(file: Path) -> None:
    sat = [version("b", 1, path="/b.py", params={"n": 1}), version("c", 1, path="/c.py")]
    spec = _spec(_meant(str(file), sat), sat[0], sat)
    assert (spec.name, spec.params, spec.env) == ("a", {}, {})


def test_another_folder_says_itself_how_it_is_run(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    for folder in (old, new):
        folder.mkdir()
        (folder / "bot.yaml").write_text("name: monte\ncommand: [./now]\nparams: {n: 2}\n")
    kept: dict[str, Any] = {"command": ["./then"], "params": {"n": 1}, "env": {"X": "1"}}
    sat = [version("monte", 1, path=str(old), **kept), version("b", 1, path="/b.py")]
    for folder, command, number in ((old, "./then", 1), (new, "./now", 2)):
        meant = _meant(str(folder), sat)
        assert _seat(meant, sat) == 0
        spec = _spec(meant, sat[0], sat)
        assert (spec.argv, spec.params, spec.env) == ((command,), {"n": number}, {"X": "1"})
