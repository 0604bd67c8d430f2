"""What a person may get wrong: one clear message, the right exit code, nothing lost or made."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from commands import Done, Tournament, arena, call, new_tournament

from arena.store.files import open_to_write

WRONG = {
    "misspelt key": ("bots: [a.py, b.py]\nlimts: {move: 1s}\n", "2:1: limts: unknown key"),
    "wrong type": ("bots: [a.py, b.py]\nboards: many\n", "2:9: boards: "),
    "boards 0": ("bots: [a.py, b.py]\nboards: 0\n", "2:9: boards: "),
    "no unit": ("bots: [a.py, b.py]\nlimits: {move: 5}\n", "2:16: limits.move: "),
    "missing bot": ("bots: [a.py, c.py]\n", "1:14: bots[1]: no such file"),
    "folder": ("bots: [a.py, sub]\n", "1:14: bots[1]: is a folder"),
    "same name": ("bots: [a.py, a.py]\n", '1:14: bots[1]: "a" is already the name of a.py'),
    "same name by case": ("bots: [a.py, A.py]\n", '"A" differs only by case from "a"'),
    "bad name": ("bots: [a.py, {name: x y, path: b.py}]\n", '"x y" is no bot name'),
    "no bot": ("bots: []\n", "1:7: bots: a tournament needs two bots and there is none"),
    "one bot": ("bots: [a.py]\n", "1:7: bots: a tournament needs two bots and there is one"),
    "no bots at all": ("boards: 3\n", "bots"),
    "empty": ("", "bots"),
    "no YAML": ("bots: [a.py\n", "wrong.yaml:1:7: "),
    "not text": ("\0\0\0", "wrong.yaml"),
    "unknown variant": ("bots: [a.py, b.py]\nvariant: bridge\n", 'there is no variant "bridge"'),
    "unknown option": ("bots: [a.py, b.py]\noptions: {deck: 24}\n", "2:11: options.deck: "),
    "one submission": ("bots: [a.py]\nsubmissions: subs\n", "two bots and there is one"),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    tournament = new_tournament(tmp_path, "a", "b")
    tournament.add_bot("A")
    (tmp_path / "sub").mkdir()
    return tmp_path


def no_fault_of_arena(done: Done, code: int) -> bool:
    """Whether it ended with one clear message."""
    assert (done.code, done.out) == (code, "")
    assert done.err.startswith("error: ")
    assert "Traceback" not in done.err
    assert "internal" not in done.err
    return True


@pytest.mark.parametrize(("text", "said"), WRONG.values(), ids=WRONG)
@pytest.mark.parametrize("command", [("tournament",), ("config", "check")], ids=" ".join)
def test_a_wrong_config(
    folder: Path,
    capfd: pytest.CaptureFixture[str],
    command: tuple[str, ...],
    text: str,
    said: str,
) -> None:
    config = folder / "wrong.yaml"
    config.write_text(text)
    done = call(capfd, *command, config)
    assert no_fault_of_arena(done, 2)
    assert said in done.err
    assert not (folder / "results").exists()


@pytest.mark.parametrize(("path", "said"), [("none.yaml", "no such file"), ("sub", "folder")])
@pytest.mark.parametrize("command", ["tournament", "rankings", "export"])
def test_no_config(
    folder: Path, capfd: pytest.CaptureFixture[str], command: str, path: str, said: str
) -> None:
    done = call(capfd, command, folder / path)
    assert no_fault_of_arena(done, 2)
    assert said in done.err


def test_all_errors_at_once(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    config = folder / "wrong.yaml"
    config.write_text("bots: [a.py, c.py]\nlimts: {}\nboards: -1\n")
    done = call(capfd, "tournament", config)
    assert no_fault_of_arena(done, 2)
    assert done.err.count("error: ") == 3
    assert done.err.endswith(f"3 errors in {config}\n")


def test_a_bot_that_cannot_be_copied(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "sub" / "bot.py").touch()
    (folder / "sub" / "link").symlink_to("/etc/passwd")
    tournament = Tournament(folder)
    tournament.configure("a.py", {"path": "sub"})
    done = call(capfd, "tournament", tournament.config)
    assert no_fault_of_arena(done, 2)
    assert "sub/link: is a link" in done.err
    tournament.configure("a.py", "b.py", boards=1)
    assert call(capfd, "tournament", tournament.config).code == 0


# results that are not there, not ours or not whole


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Tournament:
    tournament = new_tournament(tmp_path_factory.mktemp("whole"), "a", "b")
    assert arena("tournament", "tour.yaml", folder=tournament.folder).code == 0
    return tournament


@pytest.fixture
def finished(original: Tournament, tmp_path: Path) -> Tournament:
    return original.copy(tmp_path)


def write_text(file: Path) -> None:
    file.write_text("dear diary")


def make_foreign(file: Path) -> None:
    file.unlink()
    with closing(sqlite3.connect(file)) as other, other:
        other.execute("CREATE TABLE games (id)")


def cut_off(file: Path) -> None:
    os.truncate(file, 5000)


def empty(file: Path) -> None:
    os.truncate(file, 0)


def make_newer(file: Path) -> None:
    with closing(sqlite3.connect(file)) as ours, ours:
        ours.execute("PRAGMA user_version = 99")
        ours.execute("PRAGMA wal_checkpoint(TRUNCATE)")


@pytest.mark.parametrize("command", ["tournament", "rankings", "export"])
@pytest.mark.parametrize("spoil", [write_text, make_foreign, cut_off, empty, make_newer])
def test_results_that_are_not_ours_or_not_whole(
    finished: Tournament,
    capfd: pytest.CaptureFixture[str],
    spoil: Callable[[Path], None],
    command: str,
) -> None:
    file = finished.results / "results.sqlite"
    for log in finished.results.glob("results.sqlite-*"):
        log.unlink()
    spoil(file)
    before = file.read_bytes()
    done = call(capfd, command, finished.config)
    assert no_fault_of_arena(done, 4)
    assert str(file) in done.err
    assert file.read_bytes() == before


def test_a_file_where_the_results_folder_should_be(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (folder / "results").touch()
    done = call(capfd, "tournament", folder / "tour.yaml")
    assert no_fault_of_arena(done, 4)
    assert str(folder / "results") in done.err


def test_a_folder_where_the_results_file_should_be(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (folder / "results" / "tour" / "results.sqlite").mkdir(parents=True)
    for command in ("tournament", "rankings"):
        assert no_fault_of_arena(call(capfd, command, folder / "tour.yaml"), 4)


def test_snapshots_that_are_gone_are_made_again(
    finished: Tournament, capfd: pytest.CaptureFixture[str]
) -> None:
    shutil.rmtree(finished.results / "snapshots")
    finished.configure("a.py", "b.py", boards=4)
    assert call(capfd, "tournament", finished.config).code == 0
    assert finished.stored() == 8


def test_a_disk_that_fills_up_in_the_middle(
    folder: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A database may be told to have so many pages at most: the same error as a full disk."""

    def open_small(path: Path) -> sqlite3.Connection:
        connection = open_to_write(path)
        connection.execute("PRAGMA max_page_count = 16")
        return connection

    tournament = Tournament(folder)
    tournament.configure("a.py", "b.py", boards=20, options={})
    with monkeypatch.context() as patch:
        patch.setattr("arena.store.store.open_to_write", open_small)
        done = call(capfd, "tournament", tournament.config)
    assert (done.code, done.out) == (4, "")
    assert "the disk is full; free some space and run the same command again" in done.err
    rows = tournament.rows(times=True)
    assert call(capfd, "tournament", tournament.config).code == 0
    assert tournament.stored() == 40
    assert set(rows) <= set(tournament.rows(times=True))
