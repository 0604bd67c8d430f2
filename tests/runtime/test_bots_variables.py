"""A bot's variables reach the bot, and nothing that runs before it is confined."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from pathlib import Path

import pytest
from jobs import PATIENT

from arena.errors import SurroundingsError
from arena.runtime.asking import asked_bots
from arena.runtime.building import build
from arena.runtime.isolation import isolation
from arena.runtime.isolation.levels import LEVELS
from arena.runtime.job import BotSpec

LOADED = "loaded"
TELLING = {"LD_DEBUG": "files", "LD_DEBUG_OUTPUT": LOADED}
"""The loader of glibc tells which programs it loads: in files, or where it cannot, to stdout."""
VALUE = "two words\nand 'a' \"line\" = $more \\"


@pytest.fixture
def snapshot(tmp_path: Path) -> Path:
    folder = tmp_path / "snapshot=1"
    folder.mkdir()
    for path in (folder, *folder.parents[:3]):
        path.chmod(0o755)
    return folder


def spec(folder: Path, env: Mapping[str, str], *argv: str) -> BotSpec:
    return BotSpec("a@1", argv, str(folder), PATIENT, env=dict(env))


def printed_by(bot: BotSpec, level: str) -> str:
    """Return what is printed by a program that is no bot."""
    try:
        with asked_bots([bot], level=level, clock_ns=time.monotonic_ns) as (one,):
            assert one.start() is not None
            return one.printed
    except SurroundingsError as error:
        pytest.skip(str(error))


def built(bot: BotSpec, level: str) -> None:
    try:
        assert build(bot, level) is None
    except SurroundingsError as error:
        pytest.skip(str(error))


def loaded(folder: Path, printed: str = "") -> set[str]:
    told = [printed, *(file.read_text() for file in folder.glob(f"{LOADED}.*"))]
    found = re.findall(r"initialize program: (\S+)", "".join(told))
    return {Path(name).name for name in found}


needs_glibc = pytest.mark.skipif(
    not Path("/proc/self/maps").exists() or "libc.so.6" not in Path("/proc/self/maps").read_text(),
    reason="another loader",
)


@needs_glibc
@pytest.mark.parametrize("level", LEVELS)
def test_nothing_but_the_bot_is_loaded_with_its_variables(snapshot: Path, level: str) -> None:
    printed = printed_by(spec(snapshot, TELLING, "printenv", "LD_DEBUG"), level)
    assert loaded(snapshot, printed) == {"printenv"}


@needs_glibc
@pytest.mark.parametrize("level", LEVELS)
def test_nothing_but_a_build_is_loaded_with_its_variables(snapshot: Path, level: str) -> None:
    built(spec(snapshot, TELLING, "printenv", "LD_DEBUG"), level)
    assert loaded(snapshot) == {"printenv"}


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", ["own", "own=1"])
def test_a_bot_has_its_variables_as_they_are(snapshot: Path, level: str, name: str) -> None:
    (snapshot / name).write_text('#!/bin/sh\nprintf "%s|%s|%s" "$VALUE" "$HOME" "$1"\n')
    (snapshot / name).chmod(0o755)
    bot = spec(snapshot, {"VALUE": VALUE, "HOME": "/mine"}, name, "one word")
    assert printed_by(bot, level) == f"{VALUE}|/mine|one word"


@pytest.mark.parametrize("level", LEVELS)
def test_a_bots_path_finds_its_program_and_no_other(snapshot: Path, level: str) -> None:
    (snapshot / "bin").mkdir()
    for name in ("prlimit", "setpriv", "bwrap", "sh", "env", "tool"):
        (snapshot / "bin" / name).write_text(f"#!/bin/sh\necho own {name}\n")
        (snapshot / "bin" / name).chmod(0o755)
    assert printed_by(spec(snapshot, {"PATH": "bin"}, "tool"), level) == "own tool\n"


def test_what_confines_a_bot_is_found_wherever_it_is_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/bwrap").touch(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", "bin")
    assert isolation("sandbox").bubblewrap == str(tmp_path / "bin/bwrap")
