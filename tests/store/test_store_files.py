"""The file under the store: locks, kills, damage, foreign and newer files, a full disk."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import msgspec
import pytest

from arena.errors import SurroundingsError
from arena.referee.record import GameId, GameRecord, Target
from arena.store import files, migrations
from arena.store.migrations import VERSION
from arena.store.reader import Reader
from arena.store.rows import Entrant, Settled, Tournament
from arena.store.store import LOCK_NAME, Store

MATCH = ("a@1", "b@1")
PROGRAM = Path(__file__).with_name("writing.py")
JOB_GAMES = 40


def game(board: int, actions: int = 1) -> GameRecord:
    """A stored game."""
    return GameRecord(GameId(MATCH, board, 0), (10, 0), 0, Target(), actions=("pass",) * actions)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "results"


@pytest.fixture
def file(folder: Path) -> Path:
    """A store with some games, closed."""
    with Store.open(folder) as store:
        store.add([game(board, actions=100) for board in range(200)])
    return folder / files.FILE_NAME


@contextmanager
def writer(folder: Path, what: str) -> Iterator[subprocess.Popen[str]]:
    """Another process that has the store open."""
    root = str(PROGRAM.parents[2])
    with subprocess.Popen(
        [sys.executable, str(PROGRAM), str(folder), what],
        env={**os.environ, "PYTHONPATH": root},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "open\n"
        try:
            yield process
        finally:
            process.kill()


def test_one_writer_at_a_time(folder: Path) -> None:
    with writer(folder, "hold") as process:
        text = f"another arena is running this tournament (pid {process.pid})"
        with pytest.raises(SurroundingsError) as caught:
            Store.open(folder)
        assert str(caught.value).startswith(text)
        assert caught.value.exit_code == 4
        with Reader.open(folder) as reader:
            assert reader.bots() == ()
        process.kill()
        process.wait()
        Store.open(folder).close()


def test_the_lock_is_free_after_closing(folder: Path) -> None:
    Store.open(folder).close()
    with writer(folder, "hold"):
        pass
    Store.open(folder).close()


def test_the_lock_is_free_after_a_failed_opening(folder: Path) -> None:
    folder.mkdir()
    (folder / files.FILE_NAME).write_text("no database")
    with pytest.raises(SurroundingsError):
        Store.open(folder)
    (folder / files.FILE_NAME).unlink()
    with writer(folder, "hold"):
        pass


def test_a_forked_child_does_not_keep_the_lock(folder: Path) -> None:
    code = f"""
import os, sys, time
from pathlib import Path
from arena.store.store import Store
store = Store.open(Path({str(folder)!r}))
child = os.fork()
if child == 0:
    os.close(1)
    time.sleep(60)
print(child, flush=True)
os.kill(os.getpid(), 9)
"""
    process = subprocess.run(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        cwd=PROGRAM.parents[2],
        check=False,
        text=True,
    )
    child = int(process.stdout)
    try:
        Store.open(folder).close()
    finally:
        os.kill(child, signal.SIGKILL)


@pytest.mark.parametrize("delay_ms", [0, 7, 23, 61])
def test_a_kill_in_mid_write_loses_no_job_and_leaves_no_half(folder: Path, delay_ms: int) -> None:
    with writer(folder, "write") as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "0\n"
        time.sleep(delay_ms / 1000)
        process.kill()
        said = [0, *map(int, process.stdout.read().split())]
    with Reader.open(folder) as reader:
        before = sorted(reader.settled(MATCH))
    with Store.open(folder) as store:
        boards = [record.id.board for record in store.records(MATCH)]
        assert sorted(store.settled(MATCH)) == before
    jobs, rest = divmod(len(boards), JOB_GAMES)
    assert rest == 0
    assert sorted(boards) == list(range(jobs * JOB_GAMES))
    assert len(said) <= jobs <= len(said) + 1
    with closing(sqlite3.connect(folder / files.FILE_NAME)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_a_kill_while_the_file_is_made_leaves_none(folder: Path) -> None:
    folder.mkdir()
    (folder / (files.FILE_NAME + ".new")).write_bytes(b"SQLite format 3\0 and then the kill")
    with Store.open(folder) as store:
        store.add([game(0)])
    assert sorted(path.name for path in folder.iterdir()) == [LOCK_NAME, files.FILE_NAME]


def refused(folder: Path, text: str) -> None:
    """Neither writer nor reader takes the file, and both leave it as it is."""
    file = folder / files.FILE_NAME
    before = file.read_bytes()
    for open_it in (Store.open, Reader.open):
        with pytest.raises(SurroundingsError, match=text) as caught:
            open_it(folder)
        assert str(file) in str(caught.value)
        assert file.read_bytes() == before


@pytest.mark.parametrize("size", [0, 1, 50, 99])
def test_a_file_without_a_whole_header(file: Path, size: int) -> None:
    os.truncate(file, size)
    refused(file.parent, "damaged or no results file")


@pytest.mark.parametrize("lost", [1, 4096, 10 * 4096 + 5])
def test_a_cut_off_file(file: Path, lost: int) -> None:
    os.truncate(file, file.stat().st_size - lost)
    refused(file.parent, r"damaged.*\(the file is cut off\); it is left as it is")


def test_a_look_leaves_no_trace_and_needs_no_right_to_write(file: Path) -> None:
    before = [(path.name, path.stat().st_mtime_ns) for path in file.parent.iterdir()]
    file.parent.chmod(0o555)
    try:
        with Reader.peek(file.parent, still=True) as reader:
            assert len(list(reader.settled(MATCH))) == 200
    finally:
        file.parent.chmod(0o755)
    assert [(path.name, path.stat().st_mtime_ns) for path in file.parent.iterdir()] == before


def test_results_on_a_read_only_disk_can_be_read(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite would want to make files beside it; root may, so only the question tells here."""
    monkeypatch.setattr(os, "access", lambda *_: False)
    with Reader.open(file.parent) as reader:
        assert len(list(reader.settled(MATCH))) == 200
        assert sorted(path.name for path in file.parent.iterdir()) == [LOCK_NAME, file.name]


def test_a_lost_log_holds_games_only(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "copy").mkdir()
    tournament = Tournament("/tour.yaml", "tour", {}, b"drawn", drawn=True)
    with Store.open(folder) as store:
        store.begin(tournament, ())
        store.enter([Entrant("a", "ab", {})])
        store.add([game(0)])
        shutil.copy(folder / files.FILE_NAME, tmp_path / "copy")
    with Reader.open(tmp_path / "copy") as reader:
        assert reader.tournament() == tournament
        assert [str(bot) for bot in reader.bots()] == ["a@1"]
        assert not list(reader.settled(MATCH))


def test_a_look_sees_what_a_kill_left_in_the_log(folder: Path) -> None:
    with writer(folder, "write") as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.kill()
        process.wait()
    assert (folder / f"{files.FILE_NAME}-wal").stat().st_size
    with Reader.peek(folder, still=True) as reader:
        assert len(list(reader.settled(MATCH))) >= JOB_GAMES


def test_a_look_does_not_pass_over_what_a_kill_left_half_written(file: Path) -> None:
    """Only a writer may take that back; until then nobody knows what the file holds."""
    file.with_name(f"{file.name}-journal").write_bytes(b"half")
    with pytest.raises(SurroundingsError):
        Reader.peek(file.parent, still=True)


def test_a_pipe_in_place_of_the_file_is_not_waited_for(folder: Path) -> None:
    folder.mkdir()
    os.mkfifo(folder / files.FILE_NAME)
    for open_it in (Store.open, Reader.open):
        with pytest.raises(SurroundingsError, match="not a whole SQLite file"):
            open_it(folder)


def test_a_file_with_a_broken_page(file: Path) -> None:
    spoil_a_page(file)
    refused_by_writer(file)


def test_an_older_file_with_a_broken_page_is_not_brought_up_to_date(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute(f"PRAGMA user_version = {VERSION - 1}")
    spoil_a_page(file)
    refused_by_writer(file)


def test_a_file_with_a_broken_page_does_not_get_its_log(file: Path, tmp_path: Path) -> None:
    log = file.with_name(f"{file.name}-wal")
    with Store.open(file.parent) as store:
        store.add([game(1_000)])
        for path in (file, log):
            shutil.copy(path, tmp_path)
    for path in (file, log):  # as a kill would have left them
        shutil.copy(tmp_path / path.name, path)
    spoil_a_page(file)
    before = log.read_bytes()
    refused_by_writer(file)
    assert before
    assert log.read_bytes() == before


def test_what_a_kill_left_half_written_is_taken_back(file: Path, tmp_path: Path) -> None:
    """As in a kill while the file gets its log, when SQLite still works with a journal."""
    (tmp_path / "killed").mkdir()
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute("PRAGMA cache_size = 1")  # so that pages are written before the end
        connection.execute("BEGIN")
        connection.execute("DELETE FROM plays")
        for name in (file.name, f"{file.name}-journal"):
            shutil.copy(file.with_name(name), tmp_path / "killed" / name)
    assert (tmp_path / "killed" / file.name).read_bytes() != file.read_bytes()
    with Store.open(tmp_path / "killed") as store:
        assert len(list(store.records(MATCH))) == 200


def spoil_a_page(file: Path) -> None:
    with file.open("r+b") as raw:
        raw.seek(6 * 4096)
        raw.write(b"\xa5" * 4096)


def refused_by_writer(file: Path) -> None:
    before = file.read_bytes()
    with pytest.raises(SurroundingsError, match="damaged"):
        Store.open(file.parent)
    assert file.read_bytes() == before


def test_a_text_file(file: Path) -> None:
    file.write_text("my notes\n" * 100)
    refused(file.parent, "not a whole SQLite file")


def test_a_database_of_another_program(folder: Path) -> None:
    folder.mkdir()
    with closing(sqlite3.connect(folder / files.FILE_NAME)) as connection:
        connection.execute("CREATE TABLE games (x)")
    refused(folder, "made by another program")


def test_a_newer_file(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute(f"PRAGMA user_version = {VERSION + 1}")
    refused(
        file.parent, rf"newer arena \(results schema {VERSION + 1}, known is {VERSION}\); update"
    )


def test_a_file_of_any_older_version_is_brought_up_to_date(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the games and the tournament it holds."""
    folder.mkdir()
    path = folder / files.FILE_NAME
    for version in range(1, VERSION):
        with monkeypatch.context() as older, closing(sqlite3.connect(path)) as connection:
            older.setattr(migrations, "_STEPS", migrations._STEPS[:version])
            migrations.migrate(connection, 0)
            connection.execute(
                "INSERT INTO tournament (only_row, config_path, name, conditions, secret, drawn)"
                " VALUES (1, '/x', 'x', '{}', x'01', 1)"
            )
            connection.execute("INSERT INTO matches VALUES (1, 'a@1:b@1')")
            connection.execute(
                "INSERT INTO games (match, board, seating, winner, points, fault_seat, fault,"
                " detail, got, decisions, spent_us, tables, isolation) VALUES"
                " (1, 0, 1, 0, '[10,3]', 1, 'crash', 'why', '', '[]', '[]', 1, 'none')"
            )
            connection.execute("""INSERT INTO plays VALUES (1, 0, 1, '["pass"]', '[7]', '[]')""")
            connection.commit()
        with Store.open(folder) as store:
            assert store.tournament() == Tournament("/x", "x", {}, b"\1", drawn=True)
            assert list(store.settled(MATCH)) == [Settled(0, 1, 0, 1, "crash")]
            stored = next(store.records(MATCH))
            assert (stored.pondering, stored.cpu_us, stored.lag_us) == ("allow", (), 0)
            assert (stored.dealers, stored.margins) == ((), ())
            assert store.inspections() == ()
            assert store.stops() == ()
            more = {"pondering": "suspend", "cpu_us": (1, 2), "dealers": (1, 0), "margins": (-4, 2)}
            newer = msgspec.structs.replace(stored, id=GameId(MATCH, 0, 0), lag_us=3, **more)
            store.add([newer])
            assert list(store.records(MATCH)) == [newer, stored]
        path.unlink()


def test_a_reader_leaves_an_older_file_to_the_writer(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute(f"PRAGMA user_version = {VERSION - 1}")
    with pytest.raises(SurroundingsError, match="older arena; run the tournament once"):
        Reader.open(file.parent)


def test_a_log_without_its_file(file: Path) -> None:
    file.rename(file.with_name(file.name + "-wal"))
    with pytest.raises(SurroundingsError, match="the file is gone but its -wal is still there"):
        Store.open(file.parent)
    assert not file.exists()


def test_an_empty_log_holds_nobody_up(file: Path) -> None:
    file.unlink()
    file.with_name(file.name + "-wal").touch()
    with Store.open(file.parent) as store:
        assert store.tournament() is None


def test_an_emptied_file_keeps_its_log(folder: Path) -> None:
    with writer(folder, "write") as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.kill()
        process.wait()
    file = folder / files.FILE_NAME
    log = file.with_name(file.name + "-wal")
    before = log.read_bytes()
    os.truncate(file, 0)
    refused(folder, "not a whole SQLite file")
    assert before
    assert log.read_bytes() == before


def test_a_folder_in_place_of_the_file(folder: Path) -> None:
    (folder / files.FILE_NAME).mkdir(parents=True)
    with pytest.raises(SurroundingsError, match="Is a directory"):
        Store.open(folder)


def test_a_file_in_place_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "results").touch()
    with pytest.raises(SurroundingsError, match="File exists"):
        Store.open(tmp_path / "results")


def test_a_full_disk_keeps_what_is_stored(file: Path) -> None:
    with Store.open(file.parent) as store:
        (pages,) = store._connection.execute("PRAGMA page_count").fetchone()
        store._connection.execute(f"PRAGMA max_page_count = {pages + 2}")
        with pytest.raises(SurroundingsError, match="the disk is full; free some space") as caught:
            store.add([game(board, actions=1_000) for board in range(1_000, 1_100)])
        assert "what is stored is not lost" in str(caught.value)
        assert caught.value.exit_code == 4
        assert len(list(store.settled(MATCH))) == 200
    with Store.open(file.parent) as store:
        store.add([game(1_000)])


def test_a_file_that_became_read_only(file: Path) -> None:
    with Store.open(file.parent) as store:
        store._connection.execute("PRAGMA query_only = ON")
        with pytest.raises(SurroundingsError, match="read-only; make both writable"):
            store.add([game(1_000)])


def test_another_program_that_holds_the_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_BUSY_MS", 1)
    with Store.open(file.parent) as store, closing(sqlite3.connect(file)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(SurroundingsError, match="another program holds the file; close it"):
            store.add([game(1_000)])
        other.rollback()
        store.add([game(1_000)])


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE games SET decisions = '[1,' WHERE board = 7",
        "UPDATE games SET decisions = CAST(x'5b31ff5d' AS TEXT) WHERE board = 7",
        "ALTER TABLE games RENAME COLUMN spent_us TO spilt_us",
        "PRAGMA user_version = 0",
        "UPDATE sqlite_master SET sql = CAST(x'435245c3' AS TEXT) WHERE name = 'games'",
    ],
)
def test_what_no_checksum_guards_is_damage_too(file: Path, change: str) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute(change)
    with pytest.raises(SurroundingsError, match="is damaged"), Store.open(file.parent) as store:
        list(store.results(MATCH))


def test_a_game_of_which_half_is_missing_is_damage(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("DELETE FROM games WHERE board = 7")
    with Store.open(file.parent) as store, pytest.raises(SurroundingsError, match="is damaged"):
        store.add([game(7)])


def test_a_version_that_is_no_text_is_damage(file: Path) -> None:
    with Store.open(file.parent) as store:
        store.enter([Entrant("a", "ab", {})])
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE bots SET name = CAST(name AS BLOB)")
    with Reader.open(file.parent) as reader, pytest.raises(SurroundingsError, match="is damaged"):
        reader.bots()


def test_a_reader_finds_a_broken_page(file: Path) -> None:
    """Else games could be missing from an export without a sign."""
    spoil_a_page(file)
    with pytest.raises(SurroundingsError, match="is damaged"):
        Reader.open(file.parent)


def test_rows_that_were_left_half_read_do_not_complain_afterwards(file: Path) -> None:
    """As after an error; what a generator raises at its end is a warning, and so an error here."""
    with Reader.open(file.parent) as reader:
        results = reader.results(MATCH)
        next(results)
    del results


def test_a_full_disk_without_a_file_says_what_to_do(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def is_full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "pwrite", is_full)
    with pytest.raises(SurroundingsError, match="No space left on device; free some space"):
        Store.open(folder)


@pytest.mark.parametrize("is_replaced", [False, True])
def test_a_file_that_is_taken_away_gets_no_more_games(file: Path, is_replaced: bool) -> None:
    away = file.with_name("away")
    with Store.open(file.parent) as store:
        file.rename(away)
        if is_replaced:
            shutil.copy(away, file)
        with pytest.raises(SurroundingsError, match="was moved or deleted while it was in use"):
            store.add([game(1_000)])
    away.replace(file)
    with Store.open(file.parent) as store:
        store.add([game(1_000)])
