"""Copies of bots: the same content the same hash, nothing half, nothing that leads elsewhere."""

from __future__ import annotations

import hashlib
import os
import signal
import stat
import subprocess
import sys
import tempfile
import time
from contextlib import nullcontext
from pathlib import Path

import pytest

from arena.errors import SurroundingsError, UserError
from arena.tournament import snapshot


def write(path: Path, text: str = "x", mode: int = 0o644) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(mode)
    return path


def listing(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "results" / "snapshots"


def test_a_file_stands_alone_in_its_folder(tmp_path: Path, store: Path) -> None:
    taken = snapshot.take(write(tmp_path / "a.py", "print()"), store)
    folder = Path(taken.folder)
    assert folder == store / taken.hash
    assert listing(store) == [taken.hash, f"{taken.hash}/a.py"]
    assert (folder / "a.py").read_text() == "print()"


def test_the_hash_is_the_described_one(tmp_path: Path, store: Path) -> None:
    write(tmp_path / "bot" / "run", "go", 0o755)
    write(tmp_path / "bot" / "b" / "x.py", "")
    total = hashlib.sha256(b"arena-snapshot/1\n")
    for name, executable, content in ((b"b/x.py", 0, b""), (b"run", 1, b"go")):
        total.update(len(name).to_bytes(8, "big") + name + executable.to_bytes(8, "big"))
        total.update(len(content).to_bytes(8, "big") + hashlib.sha256(content).digest())
    assert snapshot.take(tmp_path / "bot", store).hash == total.hexdigest()


def test_the_same_content_is_the_same_snapshot(tmp_path: Path, store: Path) -> None:
    for name in ("one", "two"):
        write(tmp_path / name / "bot.py", "1")
        write(tmp_path / name / "deep" / "x.txt", "2")
        os.utime(tmp_path / name / "bot.py", (len(name), 5))
    one = snapshot.take(tmp_path / "one", store)
    assert one == snapshot.take(tmp_path / "two", store)
    assert snapshot.hash_of(tmp_path / "one") == snapshot.hash_of(Path(one.folder)) == one.hash


def test_every_change_is_another_snapshot(tmp_path: Path, store: Path) -> None:
    bot = tmp_path / "bot"
    file = write(bot / "bot.py", "1")
    hashes = [snapshot.take(bot, store).hash]
    for change in (
        lambda: file.write_text("2"),
        lambda: file.chmod(0o755),
        lambda: file.rename(bot / "c.py"),
        lambda: write(bot / "empty", ""),
        lambda: (bot / "empty").rename(bot / "c.pyempty"),
    ):
        change()
        hashes.append(snapshot.take(bot, store).hash)
    assert len(set(hashes)) == len(hashes)


def test_a_snapshot_is_read_only_and_keeps_what_runs(tmp_path: Path, store: Path) -> None:
    write(tmp_path / "bot" / "in" / "run", mode=0o744)
    write(tmp_path / "bot" / "data", mode=0o660)
    folder = Path(snapshot.take(tmp_path / "bot", store).folder)
    modes = {str(p.relative_to(folder)): stat.S_IMODE(p.stat().st_mode) for p in folder.rglob("*")}
    assert modes == {"in": 0o555, "in/run": 0o555, "data": 0o444}
    assert stat.S_IMODE(folder.stat().st_mode) == 0o555


def test_caches_and_the_like_stay_behind(tmp_path: Path, store: Path) -> None:
    bot = tmp_path / "bot"
    for name in (".git/config", "__pycache__/x.pyc", "a/.mypy_cache/x", "env/pyvenv.cfg", "env/b"):
        write(bot / name)
    write(bot / ".DS_Store")
    (bot / ".venv").symlink_to(tmp_path)
    write(bot / "bot.py")
    write(bot / "a" / ".hidden")
    assert listing(Path(snapshot.take(bot, store).folder)) == ["a", "a/.hidden", "bot.py"]


@pytest.mark.parametrize("target", ["bot.py", "..", "nowhere", "/etc/passwd"])
def test_links_are_refused(tmp_path: Path, store: Path, target: str) -> None:
    write(tmp_path / "bot" / "bot.py")
    (tmp_path / "bot" / "link").symlink_to(target)
    with pytest.raises(UserError, match=r"bot/link: is a link"):
        snapshot.take(tmp_path / "bot", store)
    assert listing(store) == []


def test_a_link_to_the_bot_itself_is_followed(tmp_path: Path, store: Path) -> None:
    write(tmp_path / "v3.py")
    (tmp_path / "bot.py").symlink_to("v3.py")
    assert listing(Path(snapshot.take(tmp_path / "bot.py", store).folder)) == ["bot.py"]


def test_pipes_are_refused_and_not_waited_for(tmp_path: Path, store: Path) -> None:
    (tmp_path / "bot").mkdir()
    os.mkfifo(tmp_path / "bot" / "pipe")
    with pytest.raises(UserError, match="pipe: is no file"):
        snapshot.take(tmp_path / "bot", store)


def test_a_bot_may_hold_50_megabytes(tmp_path: Path, store: Path) -> None:
    bot = tmp_path / "bot"
    write(bot / "a", "")
    os.truncate(bot / "a", snapshot.MAX_BYTES - 1)
    write(bot / "b", "1")
    snapshot.take(bot, store)
    before = listing(store)
    write(bot / "b", "12")
    with pytest.raises(UserError, match="larger than 50000000 bytes"):
        snapshot.take(bot, store)
    assert listing(store) == before


def test_too_many_files(tmp_path: Path, store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshot, "MAX_FILES", 3)
    for number in range(4):
        write(tmp_path / "bot" / str(number))
    with pytest.raises(UserError, match="more than 3 files"):
        snapshot.take(tmp_path / "bot", store)


@pytest.mark.parametrize(("depth", "is_taken"), [(250, True), (251, False), (1_500, False)])
def test_folders_nested_too_deep(
    tmp_path: Path, store: Path, monkeypatch: pytest.MonkeyPatch, depth: int, is_taken: bool
) -> None:
    write(tmp_path / "bot" / "bot.py")
    monkeypatch.chdir(tmp_path / "bot")
    for _ in range(depth):
        os.mkdir("d")  # noqa: PTH102 - the whole path would get too long
        os.chdir("d")
    Path("file").touch()
    with nullcontext() if is_taken else pytest.raises(UserError, match="longer than 500 bytes"):
        assert Path(snapshot.take(tmp_path / "bot", store).folder, "d/" * depth, "file").exists()
    snapshot.remove(tmp_path / "bot")
    assert not (tmp_path / "bot").exists()
    if not is_taken:
        assert listing(store) == []


def test_a_missing_bot(tmp_path: Path, store: Path) -> None:
    with pytest.raises(UserError, match="No such file"):
        snapshot.take(tmp_path / "none.py", store)


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    write(tmp_path / "file")
    with pytest.raises(SurroundingsError, match="Not a directory"):
        snapshot.take(write(tmp_path / "a.py"), tmp_path / "file" / "snapshots")


def test_a_snapshot_that_was_spoilt_is_made_anew(tmp_path: Path, store: Path) -> None:
    bot = write(tmp_path / "a.py", "good")
    folder = Path(snapshot.take(bot, store).folder)
    folder.chmod(0o755)
    (folder / "a.py").unlink()
    write(folder / "a.py", "bad")
    assert snapshot.take(bot, store).folder == str(folder)
    assert (folder / "a.py").read_text() == "good"


def test_a_kill_leaves_no_half_snapshot(tmp_path: Path, store: Path) -> None:
    bot = tmp_path / "bot"
    for number in range(30):
        write(bot / str(number), str(number) * 500_000)
    code = f"""
from pathlib import Path
from arena.tournament import snapshot
snapshot.take(Path({str(bot)!r}), Path({str(store)!r}))
"""
    process = subprocess.Popen([sys.executable, "-c", code], cwd=Path(__file__).parents[2])
    while process.poll() is None and not (store.exists() and list(store.glob("*/1"))):
        time.sleep(0.001)
    process.send_signal(signal.SIGKILL)
    process.wait()
    leftovers = [path.name for path in store.iterdir()]
    taken = snapshot.take(bot, store)
    assert all(name == taken.hash or name.startswith(".unfinished-") for name in leftovers)
    assert [path.name for path in store.iterdir()] == [taken.hash]
    assert len(listing(Path(taken.folder))) == 30


def test_a_snapshot_can_be_removed_and_nothing_else(tmp_path: Path, store: Path) -> None:
    write(tmp_path / "bot" / "deep" / "er" / "x")
    folder = Path(snapshot.take(tmp_path / "bot", store).folder)
    elsewhere = write(tmp_path / "elsewhere" / "y").parent
    elsewhere.chmod(0o700)
    (folder / "deep").chmod(0o755)
    (folder / "deep" / "planted").symlink_to(elsewhere)
    (folder / "deep" / "er").chmod(0)
    snapshot.remove(folder)
    assert listing(store) == []
    assert listing(elsewhere) == ["y"]
    assert stat.S_IMODE(elsewhere.stat().st_mode) == 0o700


def test_it_is_read_only_for_its_owner_and_can_still_be_replaced_and_removed() -> None:
    """Root may write anywhere, so as root this is tried as another user."""
    code = """
import os, pathlib, sys
from arena.tournament import snapshot
if os.getuid() == 0:
    os.setuid(65534)
bot, store = map(pathlib.Path, sys.argv[1:])
folder = pathlib.Path(snapshot.take(bot, store).folder)
for note in (folder / "note", folder / "deep" / "note"):
    try:
        note.touch()
    except PermissionError:
        continue
    sys.exit(f"{note} could be written")
(folder / "deep").chmod(0o755)
(folder / "deep" / "note").touch()
assert pathlib.Path(snapshot.take(bot, store).folder) == folder
assert not (folder / "deep" / "note").exists()
snapshot.remove(folder)
assert list(store.iterdir()) == []
"""
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        place.chmod(0o777)
        write(place / "bot" / "deep" / "x")
        words = [sys.executable, "-c", code, str(place / "bot"), str(place / "snapshots")]
        subprocess.run(words, cwd=Path(__file__).parents[2], check=True)
