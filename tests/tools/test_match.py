"""The config of `arena match`: how two bots are named, and what is said of wrong options."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from arena.errors import ConfigError, Problem, UserError
from arena.tools.match import FILE_NAME, bot_path, name_bots, prepare
from arena.tournament.config import Config


@pytest.mark.parametrize(
    ("one", "other", "names"),
    [
        ("/w/bots/monte.py", "/w/bots/rules.py", ("monte", "rules")),
        ("/w/new/bot.py", "/w/old/bot.py", ("new-bot", "old-bot")),
        ("/w/v2/src/bot.py", "/w/v1/src/bot.py", ("v2-bot", "v1-bot")),
        ("/w/deep/er/bot.py", "/w/bot.py", ("er-bot", "w-bot")),
        ("/w/new/Bot.py", "/w/old/bot.py", ("new-Bot", "old-bot")),
        ("/w/New/bot.py", "/w/new/bot.py", ("bot-1", "bot-2")),
        ("/w/bot.py", "/w/bot.py", ("bot-1", "bot-2")),
        ("/w/bot.py", "/w/bot.js", ("bot-1", "bot-2")),
        ("/w/my bot.py", "/w/bot.py", ("bot-1", "bot-2")),
        ("/my work/bot.py", "/old work/bot.py", ("bot-1", "bot-2")),
        ("/.git/v2/bot.py", "/.git/v1/bot.py", ("v2-bot", "v1-bot")),
        (f"/{'n' * 40}/bot.py", "/old/bot.py", ("bot-1", "bot-2")),
    ],
)
def test_names(one: str, other: str, names: tuple[str, str]) -> None:
    assert name_bots(Path(one), Path(other)) == names
    assert name_bots(Path(other), Path(one)) in (names[::-1], names)


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, with two bots of one name, a program and what is no bot."""
    for name in ("new/bot.py", "old/bot.py", "program", "notes.txt", "folder/bot.py", "empty/x"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "program").chmod(0o755)
    monkeypatch.chdir(tmp_path)
    return tmp_path


BOTS = ("new/bot.py", "old/bot.py")


def prepared(*bots: str, **keys: Any) -> Config:
    one, other = bots or BOTS
    return prepare(Path("kept"), (one, other), keys)


def test_a_config_like_any_other(work: Path) -> None:
    config = prepared(boards="7", tables="auto", seed="007", run={"workers": "2"})
    assert [(bot.name, bot.path) for bot in config.bots] == [
        ("new-bot", f"{work}/new/bot.py"),
        ("old-bot", f"{work}/old/bot.py"),
    ]
    assert (config.boards, config.tables, config.seed, config.run.workers) == (7, None, "007", 2)
    assert config.path == str(work / "kept" / FILE_NAME)
    assert config.results == str(work / "kept/results/match")


def test_a_sequential_test_is_of_the_two_bots(work: Path) -> None:
    sprt = prepared(sprt="0, 10.5").stop.sprt
    assert sprt is not None
    assert (sprt.a, sprt.b, sprt.elo0, sprt.elo1) == ("new-bot", "old-bot", 0, 10.5)
    assert (
        prepared(sprt="0, 10.5").boards,
        prepare(Path("b"), BOTS, {"boards": "5", "sprt": "0,1"}).boards,
    ) == (10_000, 5)


def test_what_is_not_given_is_at_its_default(work: Path) -> None:
    config = prepared(boards=None, seed=None, tables=None, run={"workers": None})
    assert (config.boards, config.seed, config.run.workers) == (100, None, None)
    assert (work / "kept" / FILE_NAME).read_text().splitlines()[2:] == [
        *("bots:", "- name: new-bot", f"  path: {work}/new/bot.py"),
        *("- name: old-bot", f"  path: {work}/old/bot.py"),
    ]


@pytest.mark.parametrize(
    "bots", [("folder", "program"), ("./new/../old/bot.py", "new/bot.py"), ("program", "program")]
)
def test_what_can_be_run_is_a_bot(work: Path, bots: tuple[str, str]) -> None:
    assert len(prepared(*bots).bots) == 2


def test_the_same_match_goes_on_and_another_does_not_take_its_place(work: Path) -> None:
    first = prepared(boards="7")
    assert prepared(boards="7") == first
    with pytest.raises(UserError, match=r"kept/match.yaml is another match: .*`arena tournament`"):
        prepared(boards="7", seed="another")
    assert prepared(boards="7") == first


def test_a_kept_match_goes_on_with_as_many_boards_as_are_wanted_now(work: Path) -> None:
    assert prepared(boards="7").boards == 7
    assert prepared(boards="8").boards == 8
    assert prepared().boards == 8, "nothing is said of them"
    (work / "kept" / FILE_NAME).write_text("bots: [")
    with pytest.raises(UserError, match="is another match"):
        prepared(boards="9")


def test_a_config_that_was_there_stays_whatever_is_wrong_with_it_now(
    work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its results are in the same folder, and only it describes them."""
    prepared(boards="7")
    before = (work / "kept" / FILE_NAME).read_text()

    def wrong(path: Path) -> Config:
        raise ConfigError(str(path), (Problem(1, 1, "boards", "is wrong here"),), 1)

    monkeypatch.setattr("arena.tools.match.load_config", wrong)
    with pytest.raises(UserError, match="--boards: is wrong here"):
        prepared(boards="many")
    assert (work / "kept" / FILE_NAME).read_text() == before
    with pytest.raises(UserError, match="--boards: is wrong here"):
        prepare(Path("fresh"), BOTS, {"boards": "7"})
    assert not (work / "fresh" / FILE_NAME).exists()


@pytest.mark.parametrize(
    ("bots", "said"),
    [
        (("new/bt.py", "old/bot.py"), 'new/bt.py: no such file; did you mean "bot.py"?'),
        (("new/bot.py", "gone/bot.py"), "gone/bot.py: no such file"),
        (("notes.txt", "old/bot.py"), "notes.txt: is neither a Python file nor executable; make"),
        (
            ("empty", "old/bot.py"),
            "empty: has no bot.py and no bot.yaml; either can say how it is run",
        ),
        (("\x1b[2J", "old/bot.py"), r"\x1b[2J: no such file"),
    ],
)
def test_what_is_no_bot(work: Path, bots: tuple[str, str], said: str) -> None:
    with pytest.raises(UserError) as error:
        prepared(*bots)
    assert str(error.value).startswith(said)
    assert not (work / "kept").exists()


def test_wrong_options_are_said_together_and_as_options(work: Path) -> None:
    with pytest.raises(UserError) as error:
        prepared(boards="0", tables="1.5", run={"workers": "many"})
    assert str(error.value) == (
        "--boards: expected a whole number from 1 to 1000000, got 0\n"
        "error: --tables: expected auto or a whole number from 1 to 64, got 1.5\n"
        'error: --workers: expected auto or a whole number from 1 to 256, got "many"'
    )
    assert not (work / "kept" / FILE_NAME).exists()


def test_what_is_wrong_with_a_bots_own_folder_is_no_option(work: Path) -> None:
    (work / "new" / "bot.yaml").write_text("parms: {a: 1}\n")
    with pytest.raises(UserError) as error:
        prepared("new", "old/bot.py")
    where = f"{work / 'new' / 'bot.yaml'}:1:1: parms"
    assert str(error.value) == f'{where}: unknown key; did you mean "params"?'


def test_a_folder_that_cannot_be_made(work: Path) -> None:
    (work / "kept").touch()
    with pytest.raises(UserError, match=r"^kept: nothing can be kept here: .*exists"):
        prepared()


def test_what_is_no_bot_is_told_as_what_it_is(tmp_path: Path) -> None:
    one, other, pipe, folder = (tmp_path / name for name in ("l1", "l2", "fifo", "folder"))
    one.symlink_to(other)
    other.symlink_to(one)
    (tmp_path / "gone").symlink_to("nowhere")
    folder.mkdir()
    for fifo in (pipe, folder / "bot.py"):
        os.mkfifo(fifo)
    for given, said in {
        "": "'': give the path of a bot",
        str(one): f"{one}: Too many levels of symbolic links",
        str(tmp_path / "gone"): f"{tmp_path}/gone: no such file",
        str(pipe): f"{pipe}: is neither a file nor a folder",
        "/dev/zero": "/dev/zero: is neither a file nor a folder",
        str(folder): f"{folder}: its bot.py is no file",
        "a\0b": r"a\x00b: no file can have that name",
        "x" * 5_000: f"{'x' * 300}...: File name too long",
    }.items():
        with pytest.raises(UserError) as told:
            bot_path(given)
        assert str(told.value) == said
