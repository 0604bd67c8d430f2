"""Results deleted or set aside: only what is ours, only the config's own, whatever is damaged."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from arena.errors import SurroundingsError, UserError
from arena.referee.record import GameId, GameRecord, Target
from arena.report.progress.log import FILE_NAME as LOG
from arena.store.files import FILE_NAME
from arena.store.rows import Entrant, Tournament
from arena.store.store import LOCK_NAME, Store
from arena.tools import reset as tool
from arena.tools.reset import Doomed, reset, set_aside, set_aside_from
from arena.tournament import snapshot
from arena.tournament.config import Config, load_config

ROOT = Path(__file__).parents[2]
GAMES = 6


@pytest.fixture
def config(tmp_path: Path) -> Config:
    """A tournament with results, logs and a copy of a bot."""
    (tmp_path / "tour.yaml").write_text(json.dumps({"bots": ["a.py", "b.py"], "boards": 3}))
    (tmp_path / "a.py").write_text("pass")
    config = load_config(tmp_path / "tour.yaml", playing=False)
    fill(config, Path(config.results))
    return config


def fill(config: Config, folder: Path) -> None:
    with Store.open(folder) as store:
        store.begin(Tournament(config.path, config.name, {}, b"secret", True), ())
        store.enter(Entrant(name, "h", {}) for name in "ab")
        store.add(
            GameRecord(GameId(("a@1", "b@1"), board, seating), (10, 3), 0, Target())
            for board in range(3)
            for seating in range(2)
        )
    snapshot.take(Path(config.path).with_name("a.py"), folder / "snapshots")
    (folder / "bots").mkdir()
    (folder / "bots" / "a.stderr.log").write_text("hello\n")
    for name in (LOG, f"{LOG}.old", "report.html"):
        (folder / name).write_text("text\n")


def folder_of(config: Config) -> Path:
    return Path(config.results)


def everything(folder: Path) -> dict[str, bytes | None]:
    """All files below a folder with what they hold, and all folders, by their paths."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in folder.rglob("*")
        if path.name != LOCK_NAME
    }


class Agreeing:
    """Agrees to everything and keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[Doomed] = []

    def __call__(self, doomed: Doomed) -> None:
        self.asked.append(doomed)


class RefusedError(Exception):
    """Nobody agrees."""


def refuse(_: Doomed) -> None:
    raise RefusedError


@pytest.fixture
def agree() -> Agreeing:
    return Agreeing()


def test_all_that_the_arena_made_is_deleted(config: Config, agree: Agreeing) -> None:
    folder = folder_of(config)
    for ending in ("-wal", "-shm", "-journal", ".new", ".new-journal"):
        (folder / f"{FILE_NAME}{ending}").touch()
    files = [path for path in folder.rglob("*") if path.is_file() and path.name != LOCK_NAME]
    size = sum(path.lstat().st_size for path in files)
    (folder / "notes.txt").write_text("mine")
    assert reset(config, agree) == (str(folder / "notes.txt"),)
    assert agree.asked == [Doomed(GAMES, "", size)]
    assert [path.name for path in folder.iterdir()] == ["notes.txt"]
    assert reset(config, agree) is None
    assert folder.is_dir()
    assert Path(config.path).exists()


def test_what_is_worth_most_goes_last_and_what_it_needs_after_it(
    config: Config, agree: Agreeing, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A killed reset must leave no file that could be taken for whole results and is not."""
    for ending in ("-wal", "-shm", "-journal", ".new"):
        (folder_of(config) / f"{FILE_NAME}{ending}").touch()
    done: list[str] = []
    monkeypatch.setattr(Path, "unlink", lambda path, **_: done.append(path.name))
    monkeypatch.setattr(snapshot, "remove", lambda path: done.append(path.name))
    reset(config, agree)
    endings = ("-journal", "", "-wal", "-shm")
    assert done[-5:] == [*(f"{FILE_NAME}{ending}" for ending in endings), LOCK_NAME]


def test_nothing_happens_to_what_is_not_agreed_to(config: Config) -> None:
    before = everything(folder_of(config))
    with pytest.raises(RefusedError):
        reset(config, refuse)
    assert everything(folder_of(config)) == before
    Store.open(folder_of(config)).close()


def test_what_the_arena_did_not_make_is_left(config: Config, agree: Agreeing) -> None:
    folder = folder_of(config)
    kept = {f"{FILE_NAME}.bak", "arena.log.txt", "notes.txt", "bots.zip", ".hidden"}
    for name in kept:
        (folder / name).write_text(name)
    (folder / "more").mkdir()
    left = reset(config, agree)
    assert left == tuple(str(folder / name) for name in sorted({*kept, "more"}))
    assert set(everything(folder)) == {*kept, "more"}


def test_a_project_folder_that_holds_the_results_keeps_the_bots(
    config: Config, agree: Agreeing
) -> None:
    """As with `output: {dir: ..}` and the folder's own name."""
    folder = folder_of(config)
    kept = ("bots/mine.py", "bots/mine.log", "bots/x.stderr.log.txt", "snapshots/monday/a.py")
    for name in kept:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)
    (folder / "bots" / "kept.stderr.log").mkdir()
    (folder / "snapshots" / ("f" * 64)).touch()
    (folder / "snapshots" / ".unfinished-abc").mkdir()
    (folder / "bots" / "a.stderr.log.old").touch()
    assert reset(config, agree) == (str(folder / "bots"), str(folder / "snapshots"))
    files = {path for path, text in everything(folder).items() if text is not None}
    assert files == {*kept, f"snapshots/{'f' * 64}"}
    assert (folder / "bots" / "kept.stderr.log").is_dir()


@pytest.mark.parametrize("name", [FILE_NAME, "snapshots", "bots", LOG])
def test_a_link_in_place_of_ours_goes_and_what_it_leads_to_stays(
    config: Config, agree: Agreeing, name: str
) -> None:
    folder = folder_of(config)
    elsewhere = folder.parent / "elsewhere"
    (folder / name).rename(elsewhere)
    before = everything(elsewhere) if elsewhere.is_dir() else elsewhere.read_bytes()
    (folder / name).symlink_to(elsewhere)
    assert reset(config, agree) == (f"{elsewhere} ({name})",)
    assert not folder.exists()
    assert (everything(elsewhere) if elsewhere.is_dir() else elsewhere.read_bytes()) == before


def test_a_link_of_ours_that_leads_nowhere_goes_too(config: Config, agree: Agreeing) -> None:
    (folder_of(config) / FILE_NAME).unlink()
    (folder_of(config) / FILE_NAME).symlink_to("/nowhere")
    assert reset(config, agree) == (f"/nowhere ({FILE_NAME})",)


def test_links_further_below_lead_nowhere(config: Config, agree: Agreeing) -> None:
    folder = folder_of(config)
    outside = folder.parent / "outside"
    outside.mkdir(mode=0o555)
    (copy,) = (folder / "snapshots").iterdir()
    copy.chmod(0o755)
    (copy / "link").symlink_to(outside)
    (copy / "file").symlink_to(config.path)
    (folder / "snapshots" / ("f" * 64)).symlink_to(outside)
    (folder / "bots" / "x.stderr.log").symlink_to(config.path)
    assert reset(config, agree) == (
        f"{config.path} (x.stderr.log)",
        f"{outside} ({'f' * 64})",
    )
    assert outside.stat().st_mode & 0o777 == 0o555
    assert Path(config.path).exists()


def test_a_results_folder_reached_by_a_link_is_emptied(config: Config, agree: Agreeing) -> None:
    folder = folder_of(config)
    disk = folder.parent / "large disk"
    folder.rename(disk)
    folder.symlink_to(disk)
    assert reset(config, agree) == ()
    assert folder.is_symlink()
    assert everything(disk) == {}
    Store.open(folder).close()


def test_names_of_ours_for_things_of_another_kind(config: Config, agree: Agreeing) -> None:
    folder = folder_of(config)
    (folder / FILE_NAME).unlink()
    (folder / FILE_NAME).mkdir()
    (folder / LOG).unlink()
    (folder / LOG).mkdir()
    assert reset(config, agree) == (str(folder / LOG), str(folder / FILE_NAME))


@pytest.mark.parametrize("names", [(), (LOCK_NAME,), ("arena.log", "report.html", "bots/a.txt")])
def test_without_results_nothing_shows_that_a_run_made_what_is_there(
    tmp_path: Path, config: Config, names: tuple[str, ...]
) -> None:
    reset(config, lambda _: None)
    folder = folder_of(config)
    (folder / "bots").mkdir(parents=True)
    (folder / "snapshots/.unfinished-thesis").mkdir(parents=True)
    for name in names:
        (folder / name).write_text("mine")
    before = sorted(folder.rglob("*"))
    assert reset(config, refuse) is None
    assert sorted(folder.rglob("*")) == before


def test_no_results(config: Config, agree: Agreeing) -> None:
    assert reset(config, agree) == ()
    assert reset(config, refuse) is None
    assert set_aside(config) is None
    assert not folder_of(config).exists()


def test_a_folder_that_holds_nothing_of_ours(config: Config, agree: Agreeing) -> None:
    reset(config, agree)
    folder_of(config).mkdir()
    (folder_of(config) / "notes.txt").touch()
    assert reset(config, refuse) is None
    assert set_aside(config) is None
    assert [path.name for path in folder_of(config).iterdir()] == ["notes.txt"]


# files that are not whole or not ours


def cut_off(file: Path) -> None:
    os.truncate(file, 5000)


def empty(file: Path) -> None:
    os.truncate(file, 0)


def write_text(file: Path) -> None:
    file.write_text("dear diary")


def break_pages(file: Path) -> None:
    with file.open("r+b") as raw:
        raw.seek(4096)
        raw.write(b"\xa5" * 4096 * 8)


def break_json(file: Path) -> None:
    with closing(sqlite3.connect(file)) as ours, ours:
        ours.execute("UPDATE tournament SET conditions = 'x'")


def make_newer(file: Path) -> None:
    with closing(sqlite3.connect(file)) as ours, ours:
        ours.execute("PRAGMA user_version = 99")


def lose(file: Path) -> None:
    """As after a reset that was killed in the middle."""
    file.unlink()
    file.with_name(f"{file.name}-wal").write_text("x")


DAMAGE = [cut_off, empty, write_text, break_pages, make_newer]


@pytest.mark.parametrize("damage", DAMAGE)
def test_damaged_results_can_be_deleted(
    config: Config, agree: Agreeing, damage: Callable[[Path], None]
) -> None:
    damage(folder_of(config) / FILE_NAME)
    assert reset(config, agree) == ()
    (asked,) = agree.asked
    assert asked.games is None
    assert asked.why
    assert not folder_of(config).exists()


@pytest.mark.parametrize("damage", [*DAMAGE, break_json, lose])
def test_damaged_results_can_be_set_aside(config: Config, damage: Callable[[Path], None]) -> None:
    damage(folder_of(config) / FILE_NAME)
    before = everything(folder_of(config))
    place = set_aside(config)
    assert place is not None
    assert everything(place) == before
    Store.open(folder_of(config)).close()


def test_a_file_of_another_program_is_refused(config: Config) -> None:
    file = folder_of(config) / FILE_NAME
    file.unlink()
    with closing(sqlite3.connect(file)) as other, other:
        other.execute("CREATE TABLE games (id)")
    before = everything(folder_of(config))
    for do in (lambda: reset(config, refuse), lambda: set_aside(config)):
        with pytest.raises(UserError, match=rf"{re.escape(str(file))} was made by another program"):
            do()
    assert everything(folder_of(config)) == before


def own(config: Config, path: str) -> None:
    with closing(sqlite3.connect(folder_of(config) / FILE_NAME)) as ours, ours:
        ours.execute("UPDATE tournament SET config_path = ?", (path,))


@pytest.mark.parametrize("is_damaged", [False, True])
def test_results_of_another_config_are_refused(config: Config, is_damaged: bool) -> None:
    other = Path(config.path).with_name("elsewhere.yaml")
    other.touch()
    own(config, str(other))
    if is_damaged:
        spoil_games(folder_of(config) / FILE_NAME)
    before = everything(folder_of(config))
    for do in (lambda: reset(config, refuse), lambda: set_aside(config)):
        with pytest.raises(UserError, match=r"the results of another config, .*/elsewhere\.yaml"):
            do()
    assert everything(folder_of(config)) == before


def spoil_games(file: Path) -> None:
    """Whose results they are can still be read."""
    with closing(sqlite3.connect(file)) as ours:
        (page,) = ours.execute(
            "SELECT rootpage FROM sqlite_schema WHERE type = 'table' AND name = 'games'"
        ).fetchone()
    with file.open("r+b") as raw:
        raw.seek((page - 1) * 4096)
        raw.write(b"\xa5" * 4096)


def test_results_whose_first_run_did_not_begin(config: Config, agree: Agreeing) -> None:
    with closing(sqlite3.connect(folder_of(config) / FILE_NAME)) as ours, ours:
        ours.execute("DELETE FROM tournament")
    assert reset(config, agree) == ()


# during a run, and killed


@pytest.fixture
def run(config: Config) -> Iterator[subprocess.Popen[str]]:
    """Another process that has the results open."""
    program = str(ROOT / "tests" / "store" / "writing.py")
    with subprocess.Popen(
        [sys.executable, program, config.results, "hold"],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "open\n"
        yield process
        process.kill()


def test_nothing_is_touched_during_a_run(config: Config, run: subprocess.Popen[str]) -> None:
    before = everything(folder_of(config))
    for do in (lambda: reset(config, refuse), lambda: set_aside(config)):
        with pytest.raises(SurroundingsError, match=rf"running this tournament \(pid {run.pid}\)"):
            do()
    assert everything(folder_of(config)) == before


def test_a_killed_run_is_none(config: Config, agree: Agreeing, run: subprocess.Popen[str]) -> None:
    run.kill()
    run.wait()
    assert reset(config, agree) == ()


def test_no_run_can_begin_while_it_is_asked(config: Config) -> None:
    """What was named is what is deleted."""
    begun: list[subprocess.CompletedProcess[str]] = []

    def begin(_: Doomed) -> None:
        code = "import sys; from pathlib import Path; from arena.store.store import Store;"
        code += "Store.open(Path(sys.argv[1]))"
        begun.append(
            subprocess.run(
                [sys.executable, "-c", code, config.results],
                cwd=ROOT,
                capture_output=True,
                text=True,
                check=False,
            )
        )

    assert reset(config, begin) == ()
    assert "another arena is changing these results" in begun[0].stderr


@pytest.mark.parametrize("steps", range(8))
def test_the_same_command_finishes_what_was_killed(
    config: Config, agree: Agreeing, monkeypatch: pytest.MonkeyPatch, steps: int
) -> None:
    """Until the very last the results are whole, so that their owner is known."""
    folder = folder_of(config)
    delete = tool._delete
    done: list[str] = []

    def die(path: Path) -> None:
        if len(done) == steps:
            raise KeyboardInterrupt
        done.append(path.name)
        delete(path)

    with monkeypatch.context() as patch:
        patch.setattr(tool, "_delete", die)
        try:
            reset(config, agree)
        except KeyboardInterrupt:
            assert folder.exists()
    if FILE_NAME not in done:
        other = Path(config.path).with_name("elsewhere.yaml")
        other.touch()
        own(config, str(other))
        with pytest.raises(UserError, match="another config"):
            reset(config, agree)
        own(config, config.path)
    reset(config, agree)
    assert not folder.exists()


def test_a_copy_of_a_bot_that_is_half_deleted(config: Config, agree: Agreeing) -> None:
    (copy,) = (folder_of(config) / "snapshots").iterdir()
    assert copy.stat().st_mode & 0o222 == 0
    copy.chmod(0o755)
    (copy / "a.py").unlink()
    assert reset(config, agree) == ()


# set aside


def test_results_are_set_aside_whole_and_a_new_tournament_can_begin(config: Config) -> None:
    folder = folder_of(config)
    before = everything(folder)
    place = set_aside(config)
    assert place == folder.with_name("tour.1")
    assert everything(place) == before
    assert not folder.exists()
    fill(config, folder)
    assert set_aside(config) == folder.with_name("tour.2")
    assert set_aside(config) is None


def test_numbers_tell_the_order_even_after_one_was_deleted(config: Config) -> None:
    folder = folder_of(config)
    for name in ("tour.7", "tour.02", "tour.x", "tour.9.9", "tours.8", "tour.٣"):
        folder.with_name(name).mkdir()
    folder.with_name("tour.11").symlink_to("/nowhere")
    assert set_aside(config) == folder.with_name("tour.12")


def test_a_results_folder_reached_by_a_link_is_set_aside_by_its_link(config: Config) -> None:
    folder = folder_of(config)
    disk = folder.parent / "large disk"
    folder.rename(disk)
    folder.symlink_to(disk)
    place = set_aside(config)
    assert place is not None
    assert place.resolve() == disk
    assert (place / FILE_NAME).exists()
    Store.open(folder).close()


@pytest.mark.parametrize("needed", ["tour.yaml", "a.py", "subs"])
def test_results_are_not_set_aside_with_what_a_run_needs(tmp_path: Path, needed: str) -> None:
    project = tmp_path / "project"
    places = {name: (project if name == needed else tmp_path) for name in ("tour.yaml", "a.py")}
    for place in places.values():
        (place / "a.py").parent.mkdir(exist_ok=True)
        (place / "a.py").touch()
    (tmp_path / "b.py").touch()
    keys = {
        "bots": [str(places["a.py"] / "a.py"), str(tmp_path / "b.py")],
        "name": "project",
        "output": {"dir": str(tmp_path)},
    }
    if needed == "subs":
        keys["submissions"] = str(project / "subs")
    places["tour.yaml"].joinpath("tour.yaml").write_text(json.dumps(keys))
    config = load_config(places["tour.yaml"] / "tour.yaml")
    fill(config, project)
    before = everything(project)
    with pytest.raises(UserError, match=rf"{needed} is in the results folder .*would move with it"):
        set_aside(config)
    assert everything(project) == before


@pytest.mark.parametrize(
    ("name", "before"),
    [("tour.1", "tour"), ("a.b.12", "a.b"), ("tour", None), ("tour.0", None), (".1", None)],
)
def test_what_a_folder_was_called_before(name: str, before: str | None) -> None:
    assert set_aside_from(Path("/x/results") / name) == before
