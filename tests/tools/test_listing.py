"""How tournaments stand, and where they are looked for."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from arena.referee.record import GameId, GameRecord, Target, Void
from arena.store.files import FILE_NAME
from arena.store.reader import Reader
from arena.store.rows import Entrant, Tournament, Withdrawal
from arena.store.store import LOCK_NAME, Store
from arena.tools import listing as tool
from arena.tools.counted import Totals, count_games
from arena.tools.listing import Listed, list_tournaments
from arena.tools.reset import set_aside
from arena.tools.results import DEEPEST
from arena.tournament.config import load_config

ROOT = Path(__file__).parents[2]
AB = ("a@1", "b@1")


def configure(folder: Path, file: str = "tour", **keys: object) -> Path:
    """Write a config of three boards; return where it is."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{file}.yaml"
    path.write_text(json.dumps({"bots": ["a.py", "b.py"], "boards": 3, **keys}))
    return path


def play(config: Path, boards: int = 3, *more: Void) -> Path:
    """Store the games of some boards; return the results folder."""
    folder = Path(load_config(config, playing=False).results)
    with Store.open(folder) as store:
        if store.tournament() is None:
            store.begin(Tournament(str(config), folder.name, {}, b"secret", True), ())
        store.enter(Entrant(name, "h", {}) for name in "ab")
        games = [GameId(AB, board, seating) for board in range(boards) for seating in range(2)]
        store.add([GameRecord(game, (10, 3), 0, Target()) for game in games], more)
    return folder


def only(top: Path) -> Listed:
    (found,) = list_tournaments(top).tournaments
    return found


def in_sql(folder: Path, statement: str) -> None:
    with closing(sqlite3.connect(folder / FILE_NAME)) as file, file:
        file.execute(statement)


@contextmanager
def holding(folder: Path, doing: str) -> Iterator[subprocess.Popen[str]]:
    """Another process that holds the results."""
    code = "import sys; from pathlib import Path; from arena.store.store import Store\n"
    code += "with Store.open(Path(sys.argv[1])) as store:\n"
    code += "  store._lock.note(sys.argv[2]); print(flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", code, str(folder), doing],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "\n"
            yield process
        finally:
            process.kill()


# how they stand


def test_a_complete_tournament(tmp_path: Path) -> None:
    config = configure(tmp_path)
    folder = play(config)
    os.utime(folder / FILE_NAME, (10**9, 10**9))
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    assert only(tmp_path) == Listed(
        name="tour",
        config=str(config),
        results=str(folder),
        state="complete",
        games=6,
        scheduled=6,
        size=size,
        changed=datetime.fromtimestamp(10**9, UTC),
    )


def test_games_that_are_missing_or_do_not_count(tmp_path: Path) -> None:
    config = configure(tmp_path)
    play(config, 2)
    found = only(tmp_path)
    assert (found.state, found.games, found.scheduled) == ("unfinished", 4, 6)
    configure(tmp_path, boards=1)
    found = only(tmp_path)
    assert (found.state, found.games, found.scheduled) == ("complete", 2, 2)


def test_voids_and_bots_that_do_not_play(tmp_path: Path) -> None:
    config = configure(tmp_path)
    folder = play(config, 2, *[Void(GameId(AB, 2, 0), "arena_stall")] * 4)
    with Store.open(folder) as store:
        store.leave_out("a@1", "no hello")
    found = only(tmp_path)
    assert (found.state, found.games, found.void) == ("unfinished", 4, 1)
    assert (found.withdrawn, found.left_out) == ((), ("a",))
    with Store.open(folder) as store:
        store.add(decisions=[Withdrawal("b@1", GameId(AB, 0, 1), "20 faults")])
    found = only(tmp_path)
    assert (found.state, found.games, found.void) == ("complete", 2, 0)
    assert found.withdrawn == ("b",)
    with Store.open(folder) as store:
        store.enter([Entrant("a", "h", {}), Entrant("b", "mended", {})])
    assert only(tmp_path).withdrawn == ()


def test_a_closed_tournament(tmp_path: Path) -> None:
    with Store.open(play(configure(tmp_path))) as store:
        store.reveal()
    assert only(tmp_path).state == "closed"


@pytest.mark.parametrize(
    ("doing", "state"),
    [("run", "running"), ("stopping", "stopping"), ("change", "busy"), ("x", "busy")],
)
def test_results_that_somebody_holds(tmp_path: Path, doing: str, state: str) -> None:
    folder = play(configure(tmp_path))
    with holding(folder, doing) as process:
        found = only(tmp_path)
    assert (found.state, found.pid, found.holder) == (state, process.pid, f"pid {process.pid}")
    assert (found.games, found.scheduled) == (6, 6)


def test_a_run_on_another_machine(tmp_path: Path) -> None:
    folder = play(configure(tmp_path))
    with holding(folder, "run") as process:
        (folder / LOCK_NAME).write_text(f"{process.pid} elsewhere run\n")
        found = only(tmp_path)
    assert (found.state, found.pid) == ("running", None)
    assert found.holder == f"pid {process.pid} on elsewhere"


def test_a_dead_run_whose_number_is_another_process_now(tmp_path: Path) -> None:
    folder = play(configure(tmp_path), 1)
    (folder / LOCK_NAME).write_text(f"{os.getpid()} {os.uname().nodename} run\n")
    assert only(tmp_path).state == "unfinished"


def test_a_run_that_begins_while_its_results_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What nobody writes is read otherwise than what is written at the same time."""
    folder = play(configure(tmp_path), 1)
    begun: list[subprocess.Popen[str]] = []

    def begin_first(reader: Reader, boards: int) -> Totals:
        if not begun:
            begun.append(stack.__enter__())
        return count_games(reader, boards)

    stack = holding(folder, "run")
    looks: list[bool] = []
    peek = Reader.peek

    def note(folder: Path, *, still: bool) -> Reader:
        looks.append(still)
        return peek(folder, still=still)

    monkeypatch.setattr(tool, "count_games", begin_first)
    monkeypatch.setattr(Reader, "peek", note)
    found = only(tmp_path)
    assert looks == [True, False]
    stack.__exit__(None, None, None)
    assert (found.state, found.pid) == ("running", begun[0].pid)


def test_a_first_run_that_did_not_come_to_a_game(tmp_path: Path) -> None:
    folder = Path(load_config(configure(tmp_path), playing=False).results)
    Store.open(folder).close()
    found = only(tmp_path)
    assert (found.name, found.config, found.state, found.games) == ("tour", None, "unfinished", 0)
    assert found.why == "no run of it has begun yet"


def test_results_that_were_set_aside(tmp_path: Path) -> None:
    config = configure(tmp_path)
    for boards in (1, 3):
        play(config, boards)
        set_aside(load_config(config, playing=False))
    play(config, 2)
    found = list_tournaments(tmp_path).tournaments
    assert [(one.name, Path(one.results).name, one.state, one.games) for one in found] == [
        ("tour", "tour", "unfinished", 4),
        ("tour", "tour.1", "set aside", 2),
        ("tour", "tour.2", "set aside", 6),
    ]
    assert [one.scheduled for one in found] == [6, None, None]
    assert {one.why for one in found} == {None}
    configure(tmp_path, name="tour.1")
    states = [one.state for one in list_tournaments(tmp_path).tournaments]
    assert states == ["unknown", "unfinished", "set aside"]


def test_results_that_were_renamed_by_hand(tmp_path: Path) -> None:
    folder = play(configure(tmp_path))
    folder.rename(folder.with_name("autumn.1"))
    found = only(tmp_path)
    assert (found.name, found.state) == ("tour", "unknown")
    assert found.why == f"the results of its config are in {folder}"


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda config: config.unlink(), "no such file"),
        (lambda config: config.write_text("bots: [a.py\n"), "tour.yaml:"),
        (lambda config: configure(config.parent, limts={}), "limts: unknown key"),
        (
            lambda config: configure(config.parent, output={"dir": "out"}),
            "the results of its config are in ",
        ),
    ],
)
def test_a_config_that_does_not_tell_how_many_games_there_are(
    tmp_path: Path, spoil: Callable[[Path], object], why: str
) -> None:
    config = configure(tmp_path)
    folder = play(config)
    spoil(config)
    found = only(tmp_path)
    assert (found.name, found.config, found.results) == ("tour", str(config), str(folder))
    assert (found.state, found.games, found.scheduled) == ("unknown", 6, None)
    assert found.why is not None
    assert why in found.why
    assert "\n" not in found.why


def test_the_bots_of_a_config_may_be_gone(tmp_path: Path) -> None:
    play(configure(tmp_path))
    assert not (tmp_path / "a.py").exists()
    assert only(tmp_path).state == "complete"


# what cannot be read hides no other


def cut_off(file: Path) -> None:
    os.truncate(file, 5000)


def break_pages(file: Path) -> None:
    with file.open("r+b") as raw:
        raw.seek(4096)
        raw.write(b"\xa5" * (file.stat().st_size - 4096))


def empty(file: Path) -> None:
    os.truncate(file, 0)


def make_foreign(file: Path) -> None:
    file.unlink()
    with closing(sqlite3.connect(file)) as other, other:
        other.execute("CREATE TABLE games (id)")


def make_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


def make_newer(file: Path) -> None:
    in_sql(file.parent, "PRAGMA user_version = 99")


def make_older(file: Path) -> None:
    in_sql(file.parent, "PRAGMA user_version = 1")


def break_values(file: Path) -> None:
    in_sql(file.parent, "UPDATE tournament SET conditions = 'x'")


def break_names(file: Path) -> None:
    in_sql(file.parent, "UPDATE bots SET spec = 'x'")


def make_pipe(file: Path) -> None:
    file.unlink()
    os.mkfifo(file)


def link_away(file: Path) -> None:
    file.unlink()
    file.symlink_to("/nowhere")


def link_lock(file: Path) -> None:
    lock = file.with_name(LOCK_NAME)
    lock.unlink()
    lock.symlink_to("/etc/passwd")


@pytest.mark.parametrize(
    "spoil",
    [
        *(cut_off, break_pages, empty, make_foreign, make_folder, make_newer, make_older),
        *(break_values, break_names, make_pipe, link_away, link_lock),
    ],
)
def test_results_that_cannot_be_read(tmp_path: Path, spoil: Callable[[Path], None]) -> None:
    for name in ("a", "tour", "z"):
        play(configure(tmp_path, name))
    file = tmp_path / "results" / "tour" / FILE_NAME
    spoil(file)
    first, found, last = list_tournaments(tmp_path).tournaments
    assert (first.state, last.state) == ("complete", "complete")
    assert (found.name, found.state, found.games) == ("tour", "unreadable", None)
    assert found.why
    assert found.size > 0


def test_looking_changes_nothing(tmp_path: Path) -> None:
    folder = play(configure(tmp_path))
    before = [(path, path.lstat().st_mtime_ns) for path in sorted(tmp_path.rglob("*"))]
    folder.chmod(0o555)
    try:
        assert only(tmp_path).state == "complete"
    finally:
        folder.chmod(0o755)
    assert [(path, path.lstat().st_mtime_ns) for path in sorted(tmp_path.rglob("*"))] == before


def test_looking_beside_a_run_leaves_its_lock_alone(tmp_path: Path) -> None:
    folder = play(configure(tmp_path))
    with holding(folder, "run"):
        for _ in range(2):
            assert only(tmp_path).state == "running"


# where they are looked for


def test_many_in_order_of_their_folders(tmp_path: Path) -> None:
    for name in ("b/y", "a/z", "a/b/x", "w"):
        play(configure((tmp_path / name).parent, Path(name).name))
    listing = list_tournaments(tmp_path)
    assert [one.name for one in listing.tournaments] == ["x", "z", "y", "w"]
    assert (listing.schema, listing.folder) == ("arena.list/1", str(tmp_path))


def test_folders_that_are_not_searched(tmp_path: Path) -> None:
    folder = play(configure(tmp_path / "elsewhere"))
    top = tmp_path / "top"
    for name in (".git", "node_modules", "venv/lib"):
        target = top / name / "tour"
        target.mkdir(parents=True)
        (target / FILE_NAME).write_bytes((folder / FILE_NAME).read_bytes())
    (top / "venv" / "pyvenv.cfg").touch()
    (top / "link").symlink_to(folder)
    (top / "round").symlink_to(top)
    assert list_tournaments(top).tournaments == ()
    (top / "venv" / "pyvenv.cfg").unlink()
    assert only(top).results == str(top / "venv" / "lib" / "tour")


def test_copies_of_bots_are_not_searched(tmp_path: Path) -> None:
    folder = play(configure(tmp_path))
    for name in ("snapshots", "bots", "other"):
        (folder / name).mkdir()
        (folder / name / FILE_NAME).write_bytes((folder / FILE_NAME).read_bytes())
    found = [Path(one.results).name for one in list_tournaments(tmp_path).tournaments]
    assert found == ["tour", "other"]


def test_how_deep_is_searched(tmp_path: Path) -> None:
    folder = play(configure(tmp_path / "elsewhere"))
    for depth in (DEEPEST, DEEPEST + 1):
        place = tmp_path.joinpath("top", *(str(depth) for _ in range(depth)))
        place.mkdir(parents=True)
        (place / FILE_NAME).write_bytes((folder / FILE_NAME).read_bytes())
    found = list_tournaments(tmp_path / "top").tournaments
    assert [Path(one.results).name for one in found] == [str(DEEPEST)]


@pytest.mark.skipif(os.getuid() == 0, reason="root may enter every folder")
def test_folders_that_may_not_be_entered(tmp_path: Path) -> None:
    play(configure(tmp_path))
    (tmp_path / "secret").mkdir(mode=0)
    assert only(tmp_path).state == "complete"


def test_results_that_a_config_has_elsewhere(tmp_path: Path) -> None:
    config = configure(tmp_path / "here", output={"dir": str(tmp_path / "large disk")})
    folder = play(config)
    (tmp_path / "here" / "other.yaml").write_text("bots: output: [\n")
    (tmp_path / "here" / "not yet.yaml").write_text("bots: [a.py]\noutput: {dir: nowhere}\n")
    (tmp_path / "here" / "folder.yaml").mkdir()
    (tmp_path / "here" / "huge.yaml").write_text("#" * 2_000_000)
    os.mkfifo(tmp_path / "here" / "pipe.yaml")
    found = only(tmp_path / "here")
    assert (found.results, found.config, found.state) == (str(folder), str(config), "complete")
    assert only(tmp_path).results == str(folder), "once, however it was found"


def test_a_folder_without_results(tmp_path: Path) -> None:
    configure(tmp_path)
    assert list_tournaments(tmp_path).tournaments == ()
