"""What `arena new-bot` and `arena init` write: it plays at once, and nothing is overwritten."""

from __future__ import annotations

import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from arena import templates
from arena.errors import UserError
from arena.referee.record import GameId, Target
from arena.runtime.executor import BotSpec, Job, JobGame, Limits
from arena.runtime.worker import run_job
from arena.tools.starting import init, new_bot
from arena.tournament.config import load_config
from arena.tournament.config.names import is_bot_name, is_module_name
from arena.tournament.submit import submit

PATIENT = Limits(move_ms=30_000, game_ms=None, start_ms=60_000)
ODD_OPTIONS = {
    "deck_size": 33,
    "joker_upcard": "dealer_declares",
    "ordered_pickup": "mandatory",
    "may_discard_upcard": True,
    "may_name_turned_down_suit": True,
    "stick_the_dealer": True,
}
EVERY = pytest.mark.parametrize("template", templates.BOTS)


def test_each_template_is_told_of() -> None:
    folder = Path(templates.__file__).parent
    assert {file.stem for file in folder.glob("[!_]*.py")} == set(templates.BOTS)


@EVERY
@pytest.mark.parametrize("options", [{}, ODD_OPTIONS], ids=["default", "odd"])
def test_a_new_bot_plays_whatever_the_options(
    tmp_path: Path, template: str, options: dict[str, Any]
) -> None:
    file = new_bot("mine", tmp_path, template)
    bots = [
        BotSpec(f"{name}@1", (sys.executable, file.name), str(tmp_path), PATIENT) for name in "ab"
    ]
    games = tuple(
        JobGame(GameId(("a@1", "b@1"), board, 0), sha256(b"%d" % board).digest(), (1, 2))
        for board in range(6)
    )
    result = run_job(Job("two_handed", options, tuple(bots), games, 8, 600_000))
    assert [record.end for record in result.records] == [Target()] * len(games)


@EVERY
def test_a_new_bot_is_taken_in_by_what_init_makes(tmp_path: Path, template: str) -> None:
    config = init(tmp_path / "contest")
    place = submit(load_config(config), new_bot("mine", tmp_path, template), lambda _: None)
    assert place == tmp_path / "contest" / "submissions" / "mine.py"
    assert [bot.name for bot in load_config(config).bots] == [*sorted(templates.BOTS), "mine"]


@pytest.mark.parametrize("given", ["bót.v2", "bót.v2.py", "bo\N{COMBINING ACUTE ACCENT}t.v2"])
def test_the_file_has_the_bots_name(tmp_path: Path, given: str) -> None:
    assert new_bot(given, tmp_path / "deep" / "er", "minimal") == tmp_path / "deep/er/bót.v2.py"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("a b", '"a b" is no bot name: a bot name has 1 to 40 letters'),
        (".py", '"" is no bot name'),
        ("\x1b[1m", r'"\x1b[1m" is no bot name'),
        ("bots/a", "; --dir says where it is written"),
        ("../a", "; --dir says where it is written"),
        ("json", '"json" is the name of a module that bots need'),
        ("random.py", '"random" is the name of a module'),
        ("zmq", '"zmq" is the name of a module'),
    ],
)
def test_what_is_no_name(tmp_path: Path, name: str, said: str) -> None:
    with pytest.raises(UserError) as refusal:
        new_bot(name, tmp_path / "in", "minimal")
    assert said in str(refusal.value)
    assert list(tmp_path.iterdir()) == []


def test_no_module_that_a_bot_loads_is_a_bots_name() -> None:
    """All that comes in with the SDK and with each template, as a fresh interpreter tells it."""
    folder = Path(templates.__file__).parent
    code = "import runpy, sys\nfor file in sys.argv[1:]: runpy.run_path(file)\nprint(*sys.modules)"
    files = [str(folder / f"{one}.py") for one in templates.BOTS]
    words = [sys.executable, "-I", "-c", code, *files]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    loaded = {name.partition(".")[0] for name in done.stdout.split()} - {"cython_runtime"}
    assert {"json", "zmq", "arena"} <= loaded
    assert [name for name in sorted(loaded) if is_bot_name(name) and not is_module_name(name)] == []


def test_a_bot_that_is_there_stays(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("mine")
    with pytest.raises(UserError, match=r"mine\.py is there already; nothing was written"):
        new_bot("mine", tmp_path, "starter")
    assert (tmp_path / "mine.py").read_text() == "mine"
    with pytest.raises(UserError, match=r"mine\.py cannot be a folder: it is a file"):
        new_bot("other", tmp_path / "mine.py", "starter")
    (tmp_path / "gone.py").symlink_to(tmp_path / "nowhere")
    with pytest.raises(UserError):
        new_bot("gone", tmp_path, "starter")
    assert not (tmp_path / "nowhere").exists()


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UserError, match="Not a directory"):
        new_bot("mine", tmp_path / "file" / "below", "minimal")


def test_init_takes_an_empty_folder_and_no_other(tmp_path: Path) -> None:
    empty, full, file = tmp_path / "empty", tmp_path / "full", tmp_path / "file"
    empty.mkdir()
    full.mkdir()
    (full / ".hidden").touch()
    file.touch()
    assert init(empty) == empty / templates.CONFIG
    for folder, said in (
        (empty, "is not empty; give a new folder"),
        (full, "is not empty; give a new folder"),
        (file, "is no folder; give a new folder"),
    ):
        before = sorted(tmp_path.rglob("*"))
        with pytest.raises(UserError, match=said):
            init(folder)
        assert sorted(tmp_path.rglob("*")) == before
