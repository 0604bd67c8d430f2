"""Private folders: where they are made, and that nothing of a dead arena stays."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from processes import wait_until

from arena.runtime import folders


@pytest.fixture
def place(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A short folder in which private folders are made."""
    with tempfile.TemporaryDirectory(dir="/tmp") as short:
        monkeypatch.setenv("XDG_RUNTIME_DIR", short)
        yield Path(short)


def dead_pid() -> int:
    """The pid of a process that has ended."""
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    return child.pid


def sleeper(folder: Path) -> subprocess.Popen[bytes]:
    """A process whose endpoint lies in `folder`, and its child, both asleep."""
    code = "import subprocess, time; subprocess.Popen(['sleep', '1000']); time.sleep(1000)"
    environment = {**os.environ, "ARENA_ENDPOINT": f"ipc://{folder}/0/1"}
    return subprocess.Popen([sys.executable, "-c", code], env=environment)


@pytest.fixture
def mine(place: Path) -> Iterator[Path]:
    """A private folder in use."""
    with folders.private_folder() as folder:
        assert folder.parent == place
        yield folder


def test_a_sweep_takes_what_the_dead_left_and_nothing_else(place: Path, mine: Path) -> None:
    left = place / f"arena-{dead_pid()}-x"
    other = place / "arena-notes"
    for folder in (left, other):
        (folder / "0").mkdir(parents=True)
    bot, healthy = sleeper(left), sleeper(mine)
    try:
        for folder in (left, mine):
            assert wait_until(lambda: len(list(folders._processes_of(folder))) == 2)  # noqa: B023 - used at once
        folders.sweep()
        assert wait_until(lambda: not list(folders._processes_of(left)))
        assert bot.wait() == -9
        assert healthy.poll() is None
    finally:
        for pid in [*folders._processes_of(left), *folders._processes_of(mine)]:
            os.kill(pid, 9)
        bot.wait()
        healthy.wait()
    assert mine.is_dir()
    assert other.is_dir()
    assert not left.exists()


def test_processes_that_begin_while_others_are_killed_are_taken_too(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = place / f"arena-{dead_pid()}-x"
    left.mkdir()
    bots = [subprocess.Popen(["sleep", "1000"]) for _ in range(3)]
    looks = iter([[bot.pid] for bot in bots])
    monkeypatch.setattr(folders, "_processes_of", lambda _: iter(next(looks, [])))
    folders.sweep()
    assert [bot.wait() for bot in bots] == [-9] * 3


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows it")
def test_a_sweep_takes_what_a_process_left_that_has_ended_but_is_not_buried(place: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        os.waitid(os.P_PID, ended.pid, os.WEXITED | os.WNOWAIT)
        left = place / f"arena-{ended.pid}-x"
        left.mkdir()
        folders.sweep()
        assert not left.exists()


def test_a_sweep_leaves_what_somebody_holds_whose_pid_is_unknown_here(
    mine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in another container, with the same folders but other pids."""
    monkeypatch.setattr(folders, "_lives", lambda _: False)
    folders.sweep()
    assert mine.is_dir()


def test_what_a_worker_left_that_has_ended_is_not_taken_from_a_namesake(mine: Path) -> None:
    folders.clear_up_after(os.getpid())
    assert mine.is_dir()


def test_a_folder_is_held_by_whoever_made_it_and_by_none_of_its_bots(place: Path) -> None:
    """So that it can be cleared up although a bot has outlived the arena."""
    left = place / f"arena-{dead_pid()}-x"
    with ExitStack() as bots:
        with folders.private_folder() as mine:
            bot = bots.enter_context(subprocess.Popen(["sleep", "1000"]))
            bots.callback(bot.kill)
            mine.rename(left)  # its maker goes on holding it, and does not find it at the end
            folders.sweep()
            assert left.is_dir()
        folders.sweep()
        assert not left.exists()


@pytest.mark.parametrize("before", ["arena.runtime.folders._lock", "fcntl.flock"])
def test_a_folder_that_is_swept_away_before_it_is_held_is_made_again(
    before: str, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module, _, name = before.rpartition(".")
    original = getattr(sys.modules[module], name)
    swept: list[Path] = []

    def sweep_first(*words: Any) -> Any:
        if not swept:
            swept.extend(place.iterdir())
            swept[0].rmdir()
        return original(*words)

    monkeypatch.setattr(before, sweep_first)
    with folders.private_folder() as folder:
        assert folder.is_dir()
    assert len(swept) == 1
    assert list(place.iterdir()) == []


def test_a_sweep_finds_what_was_left_in_any_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The dead one may have had another environment, such as that of a login."""
    runtime, temporary, last = (tmp_path / name for name in ("runtime", "temporary", "last"))
    pid = dead_pid()
    left = [place / f"arena-{pid}-x" for place in (runtime, temporary, last)]
    for folder in left:
        folder.mkdir(parents=True)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime))
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    monkeypatch.setattr(folders, "_LAST_PLACE", last)
    folders.sweep()
    assert [folder for folder in left if folder.exists()] == []


def test_folders_are_made_where_an_endpoint_fits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "file"
    file.touch()
    long = tmp_path / ("x" * 60)
    wide = Path(tempfile.mkdtemp(prefix="漢" * 20, dir="/tmp"))
    long.mkdir()
    try:
        for unusable in ("relative", str(file), str(long), str(wide), str(tmp_path / "no"), ""):
            monkeypatch.setenv("XDG_RUNTIME_DIR", unusable)
            monkeypatch.setattr(tempfile, "tempdir", "/tmp")
            with folders.private_folder() as folder:
                assert folder.parent == Path("/tmp")
    finally:
        wide.rmdir()
