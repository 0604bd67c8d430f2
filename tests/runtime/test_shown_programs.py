"""What a sandbox shows of the machine is never the choice of the bot in it."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from jobs import PATIENT
from msgspec.structs import replace

from arena.errors import SurroundingsError
from arena.referee.fault import Fault
from arena.runtime.asking import asked_bots
from arena.runtime.building import build
from arena.runtime.isolation import isolation
from arena.runtime.job import BotSpec, StartFault

SECRET = "nobody's business"


@pytest.fixture(autouse=True)
def _sandbox() -> None:
    try:
        isolation("sandbox")
    except SurroundingsError as error:
        pytest.skip(str(error))


@pytest.fixture
def tool(tmp_path: Path) -> Path:
    """A program of the organiser's, with something beside it that bots are not to see."""
    folder = tmp_path / "organiser"
    (folder / "bin").mkdir(parents=True)
    (folder / "credentials").write_text(SECRET)
    program = folder / "bin" / "tool"
    program.write_text(f"#!/bin/sh\ncat {folder}/credentials\n")
    program.chmod(0o755)
    return program


@pytest.fixture
def bot(tmp_path: Path) -> BotSpec:
    folder = tmp_path / "snapshot"
    folder.mkdir()
    return BotSpec("a@1", (), str(folder), PATIENT)


def said_by(bot: BotSpec) -> str:
    """Return what is printed in a sandbox by a program that is no bot, or why it does not run."""
    with asked_bots([bot], level="sandbox", clock_ns=time.monotonic_ns) as (one,):
        fault = one.start()
        assert isinstance(fault, Fault)
        return one.printed or fault.detail


def test_what_the_organiser_names_is_shown_with_all_of_its_folder(tool: Path, bot: BotSpec) -> None:
    assert said_by(replace(bot, argv=(str(tool),), shows_program=True)) == SECRET


def test_a_bots_path_does_not_say_what_the_organiser_means(
    tool: Path, bot: BotSpec, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = replace(bot, argv=("tool",), env={"PATH": str(tool.parent)}, shows_program=True)
    assert said_by(mine) == "cannot run 'tool': no such program"
    monkeypatch.setenv("PATH", str(tool.parent), prepend=":")
    assert said_by(replace(mine, env={"PATH": "/usr/bin:/bin"})) == SECRET


@pytest.mark.parametrize("path", [None, "PATH"])
def test_what_a_bot_names_itself_is_not_shown(tool: Path, bot: BotSpec, path: str | None) -> None:
    own = replace(bot, argv=(str(tool),))
    if path is not None:
        own = replace(bot, argv=("tool",), env={path: str(tool.parent)})
    assert said_by(own).startswith(f"cannot run {own.argv[0]!r}: a program that a bot chooses")
    failed = build(own, "sandbox")
    assert isinstance(failed, StartFault)
    assert failed.detail == said_by(own)


@pytest.mark.parametrize("shows_program", [False, True])
@pytest.mark.parametrize("word", ["link", "folder/tool", "../organiser/bin/tool"])
def test_no_way_out_of_a_bots_own_folder_is_followed(
    tool: Path, bot: BotSpec, word: str, shows_program: bool
) -> None:
    """A build may leave links, also where the organiser has named the program."""
    (Path(bot.folder) / "link").symlink_to(tool)
    (Path(bot.folder) / "folder").symlink_to(tool.parent)
    own = replace(bot, argv=(word,), shows_program=shows_program)
    assert said_by(own).startswith(f"cannot run {word!r}: a program that a bot chooses")


@pytest.mark.parametrize("shows_program", [False, True])
@pytest.mark.parametrize("word", ["/bin/sh", "/usr/bin/sh", "sh", "./own", "link"])
def test_programs_of_the_system_and_its_own_run(
    bot: BotSpec, word: str, shows_program: bool
) -> None:
    """Folders of the system may be links, as /bin is in many places."""
    (Path(bot.folder) / "own").write_text('#!/bin/sh\nexec sh "$@"\n')
    (Path(bot.folder) / "own").chmod(0o755)
    (Path(bot.folder) / "link").symlink_to("/bin/sh")
    argv = (word, "-c", "printf begun")
    assert said_by(replace(bot, argv=argv, shows_program=shows_program)) == "begun"
