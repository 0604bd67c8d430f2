"""Who holds the lock on a tournament: told by the system, never by a number that is out of date."""

from __future__ import annotations

import ctypes
import fcntl
import os
import struct
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from arena.errors import SurroundingsError
from arena.store import lock
from arena.store.lock import Holder, Lock, holder
from arena.store.store import LOCK_NAME, Store

ROOT = Path(__file__).parents[2]
HOLDING = """
import sys
from pathlib import Path
from arena.store.lock import Lock
held = Lock(Path(sys.argv[1]), *sys.argv[2:])
print(flush=True)
while word := sys.stdin.readline().strip():
    held.note(word)
    print(flush=True)
"""
HERE = os.uname().nodename
Process = subprocess.Popen[str]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "results.lock"


@contextmanager
def holding(path: Path, *doing: str, before: tuple[str, ...] = ()) -> Iterator[Process]:
    """Another process that has the lock."""
    with subprocess.Popen(
        [*before, sys.executable, "-c", HOLDING, str(path), *doing],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "\n"
            yield process
        finally:
            process.kill()


def test_nobody_holds_what_is_not_there(path: Path) -> None:
    assert holder(path) is None
    assert holder(path / "below") is None
    assert not path.exists()


def test_nobody_holds_a_lock_that_was_released(path: Path) -> None:
    Lock(path).release()
    assert holder(path) is None


def test_the_holder_and_what_it_does(path: Path) -> None:
    with holding(path) as process:
        assert holder(path) == Holder(process.pid, f"pid {process.pid}", "run")
        assert process.stdin is not None
        assert process.stdout is not None
        print("stopping", file=process.stdin, flush=True)
        process.stdout.readline()
        assert holder(path) == Holder(process.pid, f"pid {process.pid}", "stopping")
        process.kill()
        process.wait()
        assert holder(path) is None


def test_asking_takes_nothing_and_changes_nothing(path: Path) -> None:
    with holding(path) as process:
        before = (path.read_bytes(), path.stat().st_mtime_ns)
        path.chmod(0o444)
        assert holder(path) is not None
        assert (path.read_bytes(), path.stat().st_mtime_ns) == before
        assert process.poll() is None
        with pytest.raises(SurroundingsError):
            Lock(path)


def test_a_number_in_the_file_that_is_another_process_now(path: Path) -> None:
    """The run is dead; its number has gone to somebody who has nothing to do with it."""
    with subprocess.Popen(["sleep", "60"]) as other:
        path.write_text(f"{other.pid} {HERE} run\n")
        assert holder(path) is None
        Lock(path).release()
        other.kill()


@pytest.mark.parametrize("note", ["", "4711\n", "\0\xff" * 400, f"1 {HERE} run\n"])
def test_a_holder_whose_note_does_not_fit_cannot_be_signalled(path: Path, note: str) -> None:
    with holding(path) as process:
        path.write_text(note)
        found = holder(path)
        assert found is not None
        assert found.pid is None
        if HERE in note or " " not in note:
            assert found.place == f"pid {process.pid}"


def test_a_holder_on_another_machine(path: Path) -> None:
    """Some network disks tell the number that it has there."""
    with holding(path) as process:
        path.write_text(f"{process.pid} far\x1baway run\n")
        found = Holder(None, rf"pid {process.pid} on far\x1baway", "run")
        assert holder(path) == found
        with pytest.raises(SurroundingsError, match=rf"\(pid {process.pid} on far"):
            Lock(path)


@pytest.mark.parametrize("pid", [0, -1, -4711])
def test_a_holder_that_the_system_has_no_number_for(pid: int) -> None:
    found = lock._who(pid, f"7 {HERE} run", HERE)
    assert found == Holder(None, "a process out of sight", "run")


def can_unshare() -> bool:
    done = subprocess.run(["unshare", "--fork", "--pid", "true"], check=False, capture_output=True)
    return done.returncode == 0


@pytest.mark.skipif(not can_unshare(), reason="needs a process namespace of its own")
def test_a_holder_in_a_container_is_seen_but_not_taken_for_another(path: Path) -> None:
    with holding(path, before=("unshare", "--fork", "--pid", "--kill-child")):
        found = holder(path)
        assert found is not None
        assert found.pid is None
        assert found.place.startswith("pid ")


@pytest.mark.parametrize(
    ("doing", "said"),
    [
        (
            "run",
            "another arena is running this tournament (pid {}); to stop it: `arena stop CONFIG`",
        ),
        ("stopping", "a run of this tournament is about to end (pid {}); wait for it"),
        ("change", "another arena is changing these results (pid {}); wait for it"),
    ],
)
def test_a_refusal_says_who_and_what_to_do(path: Path, doing: str, said: str) -> None:
    with holding(path, doing) as process:
        with pytest.raises(SurroundingsError) as caught:
            Lock(path)
        assert str(caught.value).startswith(said.format(process.pid))


def test_the_store_says_what_it_is_open_for(tmp_path: Path) -> None:
    noted = []
    with Store.open(tmp_path) as store:
        noted.append((tmp_path / LOCK_NAME).read_text())
        store.note_stopping()
        noted.append((tmp_path / LOCK_NAME).read_text())
    with Store.open(tmp_path, "change"):
        noted.append((tmp_path / LOCK_NAME).read_text())
    assert noted == [f"{os.getpid()} {HERE} {doing}\n" for doing in ("run", "stopping", "change")]


def test_a_lock_is_not_taken_through_a_link(path: Path) -> None:
    target = path.with_name("diary")
    target.write_text("dear diary")
    path.symlink_to(target)
    for ask in (Lock, holder):
        with pytest.raises(OSError, match="symbolic link"):
            ask(path)
    assert target.read_text() == "dear diary"


def test_asking_does_not_wait_for_the_far_end_of_a_pipe(path: Path) -> None:
    os.mkfifo(path)
    assert holder(path) is None


def test_a_file_that_was_deleted_or_moved_meanwhile_is_no_lock(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Opened, then moved away by who deletes or moves the results, then locked in vain."""
    take = fcntl.lockf
    moved: list[Path] = []

    def move_first(file: int, how: int) -> None:
        if not moved:
            moved.append(path.rename(path.with_name("moved")))
        take(file, how)

    path.touch()
    monkeypatch.setattr(fcntl, "lockf", move_first)
    held = Lock(path)
    assert moved[0].read_text() == ""
    assert path.read_text() == f"{os.getpid()} {HERE} run\n"
    held.release()


def test_a_lock_that_becomes_free_while_it_is_asked_for_is_taken(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    take = fcntl.lockf
    asked = []

    def busy_first(file: int, how: int) -> None:
        asked.append(how)
        if len(asked) == 1:
            raise BlockingIOError
        take(file, how)

    monkeypatch.setattr(fcntl, "lockf", busy_first)
    Lock(path).release()
    assert len(asked) == 2


def test_no_file_stays_open_when_a_lock_is_refused(path: Path) -> None:
    with holding(path):
        before = len([*Path("/proc/self/fd").iterdir()])
        for _ in range(5):
            with pytest.raises(SurroundingsError):
                Lock(path)
            holder(path)
        assert len([*Path("/proc/self/fd").iterdir()]) == before


def test_what_was_written_before_is_never_half_of_a_note(path: Path) -> None:
    """Another process reads while the note is written again and again."""
    path.write_text("x" * 300)
    held = Lock(path)
    ended = threading.Event()
    seen = set()

    def read() -> None:
        while not ended.is_set():
            seen.add(path.read_text().partition("\n")[0])

    reader = threading.Thread(target=read)
    reader.start()
    for _ in range(500):
        held.note("stopping")
        held.note("run")
    ended.set()
    reader.join()
    held.release()
    assert all(line.startswith(f"{os.getpid()} {HERE} ") for line in seen)


class LinuxFlock(ctypes.Structure):
    _fields_ = (
        *(("l_type", ctypes.c_short), ("l_whence", ctypes.c_short)),
        *(("l_start", ctypes.c_int64), ("l_len", ctypes.c_int64), ("l_pid", ctypes.c_int)),
    )


class MacosFlock(ctypes.Structure):
    _fields_ = (
        *(("l_start", ctypes.c_int64), ("l_len", ctypes.c_int64), ("l_pid", ctypes.c_int)),
        *(("l_type", ctypes.c_short), ("l_whence", ctypes.c_short)),
    )


@pytest.mark.parametrize(("ours", "theirs"), [(lock._LINUX, LinuxFlock), (lock._MACOS, MacosFlock)])
def test_the_layouts_of_both_systems(
    ours: tuple[struct.Struct, int, int], theirs: type[ctypes.Structure]
) -> None:
    layout, kind, pid = ours
    values = [0] * 5
    values[kind], values[pid] = 3, 4711
    assert layout.pack(*values) == bytes(theirs(l_type=3, l_pid=4711))
