"""What bots need is made once, aside, never inside a game; if it cannot be, its log says why."""

from __future__ import annotations

import json
import os
import re
import shutil
import threading
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest

from arena.errors import SurroundingsError, UserError
from arena.runtime.executor import Limits
from arena.tournament import snapshot
from arena.tournament.config import load_config
from arena.tournament.config.entry import entry_at
from arena.tournament.preparing import Maker, StoppedError, prepare, prepare_all
from arena.tournament.preparing.cache import kept
from arena.tournament.preparing.environment import NEEDED_BY_SDK
from arena.tournament.submit import submit

ROOT = Path(__file__).parents[2]
SILENT = Maker(lambda _: None, name="mine")
LUCKY_BOT = """\
# /// script
# dependencies = ["lucky>=1"]
# ///
import os
import lucky
from arena.sdk import run

try:
    open(lucky.__file__, "a").close()
except OSError:
    run(lambda view, legal: lucky.pick(legal))
"""
"""Plays only if it cannot write to what it depends on."""


def make_wheel(folder: Path, name: str, version: str, source: str) -> None:
    info = f"{name}-{version}.dist-info"
    files = {
        f"{name}.py": source,
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    files[f"{info}/RECORD"] = "".join(f"{file},,\n" for file in [*files, f"{info}/RECORD"])
    with ZipFile(folder / f"{name}-{version}-py3-none-any.whl", "w") as wheel:
        for file, text in files.items():
            wheel.writestr(file, text)


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A cache of these tests' own; all that can be installed is one small wheel."""
    folder = tmp_path_factory.mktemp("preparing")
    (folder / "wheels").mkdir()
    make_wheel(folder / "wheels", "lucky", "1.0", "def pick(legal): return legal[0]\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
        patch.setenv("PIP_CONFIG_FILE", os.devnull)
        patch.setenv("PIP_NO_INDEX", "1")
        patch.setenv("PIP_FIND_LINKS", str(folder / "wheels"))
        yield folder / "cache" / "arena"
    snapshot.remove(folder)


@pytest.fixture
def league(tmp_path: Path) -> Path:
    (tmp_path / "ours.py").write_text((ROOT / "bots/random_bot.py").read_text())
    (tmp_path / "mine.py").write_text(LUCKY_BOT)
    configure(tmp_path, "process")
    return tmp_path


def configure(league: Path, isolation: str) -> None:
    keys = {"bots": ["ours.py"], "submissions": "subs", "options": {"target_score": 1}}
    (league / "league.yaml").write_text(json.dumps({**keys, "isolation": isolation}))


LEVELS = ["none", "process", *(["sandbox"] if shutil.which("bwrap") else [])]


def test_a_bot_with_dependencies_is_submitted_at_every_level(league: Path, cache: Path) -> None:
    """Its environment is made for the first of them, and found there by the others."""
    said: list[str] = []
    for level in LEVELS:
        if level != "none" or os.geteuid():
            configure(league, level)
            submit(load_config(league / "league.yaml"), league / "mine.py", said.append)
    assert said.count("mine: makes its environment, once: lucky>=1") == 1
    (made,) = [path for path in (cache / "environments").iterdir() if path.name[0] != "."]
    assert made.stat().st_mode & 0o777 == 0o555
    assert not list(made.parent.glob(".unfinished-*"))


def test_it_has_the_sdk_its_dependencies_and_nothing_of_the_arenas(
    tmp_path: Path, cache: Path
) -> None:
    (tmp_path / "mine.py").write_text(LUCKY_BOT)
    entry = entry_at(tmp_path / "mine.py", Limits())
    taken = snapshot.take(tmp_path / "mine.py", tmp_path / "snapshots")
    python = prepare(entry, taken, "mine@1", SILENT).argv[0]
    assert Path(python).is_relative_to(cache)
    (packages,) = Path(python).parents[1].glob("lib/python*/site-packages")
    found = {path.name for path in packages.iterdir() if "." not in path.name}
    assert {"arena", "msgspec", "zmq"} <= found
    assert not found & {"numpy", "yaml", "click", "pytest"}


def test_what_cannot_be_installed_is_told_with_the_log(league: Path, cache: Path) -> None:
    (league / "mine.py").write_text(LUCKY_BOT.replace(">=1", ">=2"))
    before = [path for path in cache.rglob("*") if path.suffix != ".lock"]
    with pytest.raises(UserError) as error:
        submit(load_config(league / "league.yaml"), league / "mine.py", lambda _: None)
    first, *log = str(error.value).splitlines()
    assert first == "mine: making its environment failed: exit code 1"
    assert "    ERROR: No matching distribution found for lucky>=2" in log
    assert [path for path in cache.rglob("*") if path.suffix != ".lock"] == before
    assert not (league / "subs").exists()


def test_of_several_bots_those_that_cannot_be_prepared_are_told(
    tmp_path: Path, cache: Path
) -> None:
    entries = {}
    for name, source in (("good", "x"), ("bad", "# /// script\n# dependencies = 1\n# ///\n")):
        (tmp_path / f"{name}.py").write_text(source)
        taken = snapshot.take(tmp_path / f"{name}.py", tmp_path / "snapshots")
        entries[f"{name}@1"] = (entry_at(tmp_path / f"{name}.py", Limits()), taken)
    specs, faults = prepare_all(entries, SILENT)
    assert list(specs) == ["good@1"]
    (fault,) = faults
    assert (fault.version, fault.got.splitlines()[1:2]) == ("bad@1", ["       |   ^"])
    assert fault.detail.startswith(f"{tmp_path / 'bad.py'}:2:3: dependencies: expected a list")


def test_the_sdk_needs_what_the_arena_needs() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert set(NEEDED_BY_SDK.values()) <= set(project["dependencies"])
    assert all(re.match(r"[\w-]+", one)[0] == name for name, one in NEEDED_BY_SDK.items())  # type: ignore[index]


# how things are made


def test_a_program_that_is_broken_off_is_killed_with_all_it_started(tmp_path: Path) -> None:
    stopping = threading.Event()
    maker = Maker(lambda _: None, stopping.is_set)
    pid_file = tmp_path / "pid"
    script = f"sleep 60 & echo $! > {pid_file}.new; mv {pid_file}.new {pid_file}; wait"

    def stop() -> None:
        while not pid_file.exists():
            time.sleep(0.01)
        stopping.set()

    watcher = threading.Thread(target=stop)
    watcher.start()
    with pytest.raises(StoppedError):
        maker.run("it", ["sh", "-c", script], tmp_path)
    watcher.join()
    pid = int(pid_file.read_text())
    deadline = time.monotonic() + 60
    while is_running(pid) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not is_running(pid)


def is_running(pid: int) -> bool:
    try:
        return ") Z " not in Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return False


def test_a_program_that_takes_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.tournament.preparing.tools.PATIENCE_S", 0.0)
    with pytest.raises(UserError, match=r"^mine: it failed: not done within 0 s$"):
        SILENT.run("it", ["sleep", "60"], tmp_path)


def test_a_log_cannot_steer_a_terminal(tmp_path: Path) -> None:
    with pytest.raises(UserError) as error:
        SILENT.run("it", ["sh", "-c", r"printf '\033[2J\n'; exit 3"], tmp_path)
    assert str(error.value) == "mine: it failed: exit code 3\n    \\x1b[2J"


def test_a_program_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SurroundingsError, match="it: no_such_program: No such file"):
        SILENT.run("it", ["no_such_program"], tmp_path)


def test_two_at_once_make_it_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    begun, go_on = threading.Event(), threading.Event()
    made: list[Path] = []

    def make(folder: Path) -> None:
        made.append(folder)
        (folder / "half").touch()
        begun.set()
        go_on.wait(60)

    found: list[Path] = []
    threads = [
        threading.Thread(target=lambda: found.append(kept("kind", "key", SILENT, make)))
        for _ in range(2)
    ]
    threads[0].start()
    begun.wait(60)
    threads[1].start()
    assert not (tmp_path / "arena" / "kind" / "key").exists(), "not before it is whole"
    go_on.set()
    for thread in threads:
        thread.join(60)
    assert (len(made), found) == (1, [tmp_path / "arena" / "kind" / "key"] * 2)
    snapshot.remove(found[0])


def test_what_fails_leaves_nothing_and_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))

    def fail(folder: Path) -> None:
        (folder / "half").touch()
        raise StoppedError

    with pytest.raises(StoppedError):
        kept("kind", "key", SILENT, fail)
    place = tmp_path / "arena" / "kind"
    assert [path.name for path in place.iterdir()] == [".key.lock"]
    (place / ".unfinished-key-killed").mkdir()
    (place / ".unfinished-other-runs").mkdir()
    folder = kept("kind", "key", SILENT, lambda folder: (folder / "whole").touch())
    assert [path.name for path in folder.iterdir()] == ["whole"]
    assert sorted(path.name for path in place.iterdir()) == [
        *(".key.lock", ".unfinished-other-runs", "key")
    ]
    snapshot.remove(folder)


def test_no_place_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    with pytest.raises(SurroundingsError, match="or let XDG_CACHE_HOME name a folder with room"):
        kept("kind", "key", SILENT, lambda _: None)
