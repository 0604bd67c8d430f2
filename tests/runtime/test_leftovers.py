"""What bots leave with the system goes with their job, where they have users of their own."""

from __future__ import annotations

import contextlib
import os
import subprocess
from pathlib import Path

import pytest
from jobs import HOSTILE, bot, job
from msgspec.structs import replace

from arena.runtime.folders import clear_up_after
from arena.runtime.isolation.leftovers import remove_of
from arena.runtime.isolation.users import own_users, user_of
from arena.runtime.worker import run_job

pytestmark = pytest.mark.skipif(not own_users(1), reason="bots have no users of their own")

DEAD = 4_000_001
"""A pid that no process here has."""


def left_by(worker: int) -> list[str]:
    """What is in shared folders and shared memory of the bots of a worker."""
    users = own_users(worker)
    folders = (Path("/dev/shm"), Path("/tmp"))
    files = []
    for path in (path for folder in folders for path in folder.iterdir()):
        with contextlib.suppress(FileNotFoundError):  # of others, who are clearing up
            if path.lstat().st_uid in users:
                files.append(str(path))
    rows = Path("/proc/sysvipc/shm").read_text().splitlines()[1:]
    return files + [row for row in rows if int(row.split()[9]) in users]


def test_nothing_is_left_of_a_bot_that_leaves_what_it_can(mark: str, tmp_path: Path) -> None:
    path = HOSTILE / "leaves_notes_and_memory.py"
    env = {"HOSTILE_MEMORY": "/nowhere"}
    bots = (bot("bad@1", path, mark=mark, env=env), bot("b@1", mark=mark))
    result = run_job(replace(job(bots, 5, logs=tmp_path / "logs"), isolation="process"))
    assert len(result.records) == 5
    log = (tmp_path / "logs/bad.stderr.log").read_text()
    assert "left segment " in log
    assert "left segment -1" not in log
    assert left_by(os.getpid()) == []


def leave(user: int, name: str) -> None:
    code = (
        "import ctypes, os\n"
        f"os.makedirs('/tmp/{name}/below')\n"
        f"open('/dev/shm/{name}', 'w').close()\n"
        "assert ctypes.CDLL(None).shmget(0, 4096, 0o1600) >= 0\n"
    )
    subprocess.run(["/usr/bin/python3", "-c", code], check=True, user=user, group=user)


def test_what_bots_of_a_dead_worker_left_goes_and_nothing_of_others(mark: str) -> None:
    folder = Path(f"/tmp/arena-{DEAD}-test")
    folder.mkdir(exist_ok=True)
    clear_up_after(DEAD)  # this test may have been broken off before
    leave(user_of(DEAD, 1), mark)
    assert len(left_by(DEAD)) == 3
    remove_of(DEAD + 1, lambda path: path.unlink())
    assert len(left_by(DEAD)) == 3
    folder.mkdir()
    clear_up_after(DEAD)
    assert left_by(DEAD) == []
    assert not folder.exists()


def test_the_users_are_none_that_anybody_else_has() -> None:
    assert os.getuid() not in own_users(DEAD)
    assert own_users(DEAD).isdisjoint(own_users(DEAD + 1))
