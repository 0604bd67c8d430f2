"""A bot that is built: once, in a copy, as confined as the bot will be, and never inside a game."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.errors import UserError
from arena.runtime import bounds
from arena.runtime.executor import BotSpec, Limits
from arena.tournament import snapshot
from arena.tournament.config import load_config
from arena.tournament.config.entry import entry_at
from arena.tournament.preparing import Maker, StoppedError, prepare
from arena.tournament.preparing import build as building
from arena.tournament.submit import submit

ROOT = Path(__file__).parents[2]
LEVELS = ["none", "process", *(["sandbox"] if shutil.which("bwrap") else [])]
BUILD = """\
mkdir made && cp bot.py made/program.py && ln -s made/program.py link
printf '#!/bin/sh\\nexec %s -u link\\n' "$PYTHON" > play && chmod 755 play
"""


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    yield tmp_path / "cache" / "arena" / "builds"
    if (tmp_path / "cache").exists():
        snapshot.remove(tmp_path / "cache")


def bot(folder: Path, script: str) -> Path:
    """A bot that is nothing before it is built."""
    folder.mkdir()
    keys = {"command": ["./play"], "build": ["sh", "build.sh"], "env": {"PYTHON": sys.executable}}
    (folder / "bot.yaml").write_text(json.dumps(keys))
    (folder / "build.sh").write_text(script)
    shutil.copy(ROOT / "bots/random_bot.py", folder / "bot.py")
    return folder


def made(folder: Path, maker: Maker) -> BotSpec:
    """What becomes of a bot that is prepared."""
    taken = snapshot.take(folder, folder.parent / "snapshots")
    return prepare(entry_at(folder, Limits()), taken, "team@1", maker)


@pytest.mark.parametrize("level", LEVELS)
def test_where_private_folders_are_stays_as_it_is(
    level: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with tempfile.TemporaryDirectory(dir="/tmp") as place:
        monkeypatch.setenv("XDG_RUNTIME_DIR", place)
        Path(place).chmod(0o1777)
        made(bot(tmp_path / "team", BUILD), Maker(lambda _: None, level=level))
        assert Path(place).stat().st_mode & 0o7777 == 0o1777
        assert not list(Path(place).iterdir())


@pytest.mark.parametrize("level", LEVELS)
def test_it_is_built_once_and_plays(tmp_path: Path, cache: Path, level: str) -> None:
    (tmp_path / "ours.py").write_text((ROOT / "bots/random_bot.py").read_text())
    keys = {"bots": ["ours.py"], "submissions": "subs", "options": {"target_score": 1}}
    (tmp_path / "league.yaml").write_text(json.dumps({**keys, "isolation": level}))
    source = bot(tmp_path / "team", BUILD)
    said: list[str] = []
    places = [submit(load_config(tmp_path / "league.yaml"), source, said.append) for _ in range(2)]
    assert said.count("team: is built, once: sh build.sh") == 1
    assert not (places[0] / "play").exists(), "what was submitted is what is kept"
    (folder,) = cache.glob("[!.]*/bot")
    assert os.access(folder / "play", os.X_OK)
    for path in (folder, *folder.rglob("*")):
        assert path.is_symlink() or path.stat().st_mode & 0o7222 == 0, "nobody may change it"
        assert path.lstat().st_uid == os.getuid()


@pytest.mark.skipif("sandbox" not in LEVELS, reason="there is no sandbox here")
def test_a_build_sees_and_changes_no_more_than_a_bot(tmp_path: Path, cache: Path) -> None:
    (tmp_path / "secret").touch()
    script = f"ls {tmp_path}/secret; touch {tmp_path}/x /usr/x; touch here && exit 9"
    with pytest.raises(UserError) as error:
        made(bot(tmp_path / "team", script), Maker(lambda _: None, level="sandbox"))
    assert str(error.value).startswith("team: its build failed: exited 9\n    ")
    assert "No such file" in str(error.value).splitlines()[1]
    assert not Path("/usr/x").exists()
    assert not (tmp_path / "x").exists()
    assert not list(cache.glob("[!.]*")), "a build that fails leaves nothing"
    assert not list(cache.glob(".unfinished-*"))


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("echo why; exit 3", "its build failed: exited 3\n    why"),
        ("kill -9 $$", "its build failed: killed by SIGKILL"),
        ("mkfifo pipe", "its build failed: it made 'pipe', which is no file"),
        (
            "head -c 50000 /dev/zero > big",
            "its build failed: it made too much; with it the bot may have",
        ),
        (
            "touch a b c d e f g h i j k l",
            "its build failed: it made too much; with it the bot may have",
        ),
        ("sleep 60", "its build failed: not done within 1 s"),
        ("for n in 1 2 3 4 5 6 7 8 9; do sleep 60 & done; wait", "its build failed: more than 3 "),
    ],
)
def test_a_build_that_fails(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch, script: str, said: str
) -> None:
    monkeypatch.setattr(bounds, "MOST_BYTES", 40_000)
    monkeypatch.setattr(bounds, "MOST_FILES", 10)
    start_ms = 1_000 if "1 s" in said else 60_000
    processes = 3 if "more than" in said else 256
    monkeypatch.setattr(building, "LIMITS", Limits(start_ms=start_ms, processes=processes))
    with pytest.raises(UserError) as error:
        made(bot(tmp_path / "team", script), Maker(lambda _: None, level="none"))
    assert str(error.value).startswith(f"team: {said}")
    assert not list(cache.glob("[!.]*"))


@pytest.mark.parametrize(
    ("level", "place"),
    [*((level, ".") for level in LEVELS), ("none", "$HOME"), ("process", "$HOME")],
)
def test_too_much_is_seen_while_the_build_runs(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch, level: str, place: str
) -> None:
    """Else it could fill the disk before anybody looks. A home in a sandbox has its own bounds."""
    script = f"for n in $(seq 60); do truncate -s 10M {place}/big$n; done"
    monkeypatch.setattr(building, "LIMITS", Limits(start_ms=20_000, processes=256))
    with pytest.raises(UserError, match="its build failed: it made too much; with it the bot"):
        made(bot(tmp_path / "team", f"{script} && sleep 61"), Maker(lambda _: None, level=level))
    assert not list(cache.glob("[!.]*"))
    assert not list(cache.glob(".unfinished-*"))


NESTING = """\
import os
for _ in range({depth}):
    os.mkdir("{name}")
    os.chdir("{name}")
open("file", "w").close()
"""


@pytest.mark.parametrize(
    ("depth", "name"), [(260, "d"), (1_200, "d"), (3, "d" * 200), (30, "d" * 200)]
)
def test_a_build_that_nests_folders_is_refused_each_time(
    tmp_path: Path, cache: Path, depth: int, name: str
) -> None:
    """Nothing of it stays, however deep, and no later run ends by what an earlier one left."""
    source = bot(tmp_path / "team", "$PYTHON nest.py")
    (source / "nest.py").write_text(NESTING.format(depth=depth, name=name))
    said = r"^team: its build failed: it nested folders; a path may have 500 bytes$"
    for _ in range(2):
        with pytest.raises(UserError, match=said):
            made(source, Maker(lambda _: None, level="none"))
        assert not list(cache.glob("[!.]*"))
        assert not list(cache.glob(".unfinished-*"))


def test_what_a_kill_left_is_removed_however_deep(tmp_path: Path, cache: Path) -> None:
    source = bot(tmp_path / "team", BUILD)
    key = Path(made(source, Maker(lambda _: None, level="none")).folder).parent
    nest = f"import os, sys\nos.chdir(sys.argv[1])\n{NESTING.format(depth=1_200, name='dd')}"
    leftover = cache / f".unfinished-{key.name}-killed"
    leftover.mkdir()
    subprocess.run([sys.executable, "-c", nest, leftover], check=True)
    snapshot.remove(key)
    made(source, Maker(lambda _: None, level="none"))
    assert not leftover.exists()


def test_folders_nested_as_deep_as_may_be_are_kept(tmp_path: Path) -> None:
    source = bot(tmp_path / "team", "$PYTHON nest.py && touch play && chmod 755 play")
    (source / "nest.py").write_text(NESTING.format(depth=248, name="d"))
    folder = Path(made(source, Maker(lambda _: None, level="none")).folder)
    assert (folder / ("d/" * 248) / "file").exists()


CLOSED = """
import os, pathlib, sys
from arena.errors import UserError
from arena.runtime import bounds
from arena.tournament.preparing import Maker
from arena.tournament.preparing.build import take_over
from arena.tournament.preparing.cache import close
if os.getuid() == 0:
    os.setuid(65534)
folder = pathlib.Path(sys.argv[1], "built")
(folder / "shut").mkdir(parents=True)
(folder / "shut" / "big").write_bytes(bytes(50_000))
for path in ("shut/big", "shut"):
    (folder / path).chmod(0)
print(bounds.excess(folder))
bounds.MOST_BYTES = 40_000
try:
    take_over(folder, Maker(print, name="team"))
except UserError as error:
    print(error)
bounds.MOST_BYTES = 80_000
(folder / "shut").chmod(0)
take_over(folder, Maker(print))
(folder / "shut").chmod(0)
close(folder)
print(*(oct(path.stat().st_mode) for path in (folder / "shut", folder / "shut" / "big")))
"""


def test_what_a_build_has_closed_is_counted_and_opened_too() -> None:
    """For root nothing is closed, so as root this is tried as another user."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o777)
        words = [sys.executable, "-c", CLOSED, name]
        done = subprocess.run(words, cwd=ROOT, check=True, capture_output=True, encoding="utf-8")
    closed, too_much, modes = done.stdout.splitlines()
    assert closed == "it closed a folder, so that nobody can tell how much is in it"
    assert too_much.startswith("team: its build failed: it made too much")
    assert modes == "0o40555 0o100444"


def test_a_command_that_is_not_there(tmp_path: Path) -> None:
    folder = bot(tmp_path / "team", "")
    (folder / "bot.yaml").write_text("command: [a]\nbuild: [no_such_program]\n")
    said = "team: its build failed: cannot run 'no_such_program': no such program"
    with pytest.raises(UserError, match=said):
        made(folder, Maker(lambda _: None, level="none"))


def test_a_build_that_is_broken_off_leaves_nothing(tmp_path: Path, cache: Path) -> None:
    begun, stop = tmp_path / "begun", threading.Event()

    def is_stopping() -> bool:
        stop.wait(0 if begun.exists() else 0.01)
        return begun.exists()

    script = f"sleep 61 & echo $! > {begun}.new; mv {begun}.new {begun}; wait"
    with pytest.raises(StoppedError):
        made(bot(tmp_path / "team", script), Maker(lambda _: None, is_stopping, "none"))
    assert not list(cache.glob(".unfinished-*"))
    assert not Path(f"/proc/{begun.read_text().strip()}").exists()


def test_another_source_is_another_build(tmp_path: Path) -> None:
    said: list[str] = []
    folders: list[str] = []
    for number in (1, 2, 1):
        source = bot(tmp_path / f"team{len(folders)}", f"echo {number} > play; chmod 755 play")
        folders.append(made(source, Maker(said.append, level="none")).folder)
    assert len(said) == 2
    assert folders[0] == folders[2] != folders[1]
    assert [Path(folder, "play").read_text() for folder in folders] == ["1\n", "2\n", "1\n"]
