"""Private folders: where they are made, and that nothing of a dead arena stays."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

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


def test_a_sweep_takes_what_the_dead_left_and_nothing_else(place: Path) -> None:
    mine = folders.make_private_folder()
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
            folder = folders.make_private_folder()
            assert folder.parent == Path("/tmp")
            folder.rmdir()
    finally:
        wide.rmdir()
