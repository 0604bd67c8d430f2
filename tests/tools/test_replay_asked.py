"""Which bot is asked, and how it is started."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from arena.runtime.job import BotSpec
from arena.store.rows import BotVersion
from arena.tools.replay.asked import Strangers, _entry, _Meant, _meant, _seat, _spec


def version(name: str, number: int, *, current: bool = False, **spec: Any) -> BotVersion:
    return BotVersion(name, number, f"hash {number}", spec, current)


def meant_by(given: str, sat: Sequence[BotVersion], submissions: Path | None = None) -> _Meant:
    return _meant(given, sat, Strangers(None if submissions is None else str(submissions)))


def spec_of(
    meant: _Meant,
    sat: BotVersion,
    versions: Sequence[BotVersion],
    submissions: Path | None = None,
    level: str | None = None,
) -> BotSpec:
    strangers = Strangers(None if submissions is None else str(submissions))
    copies = Path(meant.path).parent / "copies"
    return _spec(_entry(meant, sat, versions, strangers), copies, level, lambda _: None)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a.py"
    path.touch()
    return path


def test_of_versions_of_a_name_the_one_that_sat_there_tells_the_params(file: Path) -> None:
    known = [version("a", n, current=n == 2, path=str(file), params={"n": n}) for n in (1, 2, 3)]
    other = version("b", 1, path="/b.py")
    meant = meant_by(str(file), [known[0], other])
    assert _seat(meant, [other, known[0]]) == 1
    for sat, params in ((known[0], 1), (known[2], 3), (other, 2)):
        spec = spec_of(meant, sat, [*known, other])
        assert (spec.name, spec.params, spec.folder) == ("a", {"n": params}, str(file.parent))
        assert spec.argv == (sys.executable, "-u", "a.py")


def test_a_bot_is_known_by_its_path_whatever_it_is_called(file: Path) -> None:
    sat = [version("monte", 1, path=str(file), env={"X": "1"}), version("a", 1, path="/b.py")]
    for given in (str(file), "monte", "MONTE@1"):
        meant = meant_by(given, sat[:1])
        assert meant.path == str(file)
        assert spec_of(meant, sat[0], sat).env == {"X": "1"}


def test_a_bot_with_a_command_may_be_a_folder_without_bot_py(tmp_path: Path) -> None:
    folder = tmp_path / "theirs"
    folder.mkdir()
    sat = [version("theirs", 1, path=str(folder), command=["./run", "--fast"])]
    for given in (str(folder), "theirs"):
        spec = spec_of(meant_by(given, sat), sat[0], sat)
        assert (spec.argv, spec.folder) == (("./run", "--fast"), str(folder))


def test_a_stranger_has_no_params(file: Path) -> None:
    sat = [version("b", 1, path="/b.py", params={"n": 1}), version("c", 1, path="/c.py")]
    spec = spec_of(meant_by(str(file), sat), sat[0], sat)
    assert (spec.name, spec.params, spec.env) == ("a", {}, {})


def test_another_folder_says_itself_how_it_is_run(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    for folder in (old, new):
        folder.mkdir()
        (folder / "bot.yaml").write_text("name: monte\ncommand: [./now]\nparams: {n: 2}\n")
    kept: dict[str, Any] = {"command": ["./then"], "params": {"n": 1}, "env": {"X": "1"}}
    sat = [version("monte", 1, path=str(old), **kept), version("b", 1, path="/b.py")]
    for folder, command, number in ((old, "./then", 1), (new, "./now", 2)):
        meant = meant_by(str(folder), sat)
        assert _seat(meant, sat) == 0
        spec = spec_of(meant, sat[0], sat)
        assert (spec.argv, spec.params, spec.env) == ((command,), {"n": number}, {"X": "1"})


def test_a_name_and_what_lies_among_the_submissions_is_a_strangers(tmp_path: Path) -> None:
    subs = tmp_path / "subs"
    (subs / "folder").mkdir(parents=True)
    for file in (subs / "a.py", subs / "folder" / "bot.py", tmp_path / "a.py"):
        file.touch()
    (tmp_path / "link").symlink_to(subs)
    sat = [version("a", 1, path=str(tmp_path / "a.py"))]
    for given in ("a", "A@1"):
        assert meant_by(given, sat).is_strange
    for inside in ("subs/a.py", "subs/folder", "subs/folder/bot.py", "link/a.py", "x/../subs/a.py"):
        assert meant_by(str(tmp_path / inside), sat, subs).is_strange, inside
    for outside in (subs, None):
        assert not meant_by(str(tmp_path / "a.py"), sat, outside).is_strange


def test_a_bot_of_ones_own_is_not_run_as_a_stranger_says(file: Path, tmp_path: Path) -> None:
    subs = tmp_path / "subs"
    theirs: dict[str, Any] = {"command": ["./evil"], "env": {"LD_PRELOAD": "./e"}}
    sat = [version("a", 1, path=str(subs / "a"), params={"n": 1}, **theirs)]
    spec = spec_of(meant_by(str(file), sat, subs), sat[0], sat, subs)
    assert (spec.argv, spec.env) == ((sys.executable, "-u", "a.py"), {})
    assert spec.params == {"n": 1}


def test_a_strangers_bot_is_copied(file: Path) -> None:
    sat = [version("a", 1, path=str(file), env={"X": "1"})]
    spec = spec_of(meant_by("a", sat), sat[0], sat, level="process")
    assert Path(spec.folder).parent == file.parent / "copies"
    assert spec.env == {"X": "1"}
