"""Wrong configs: every problem of a file at once, at its place, in words that help.

    python tests/cli/test_wrong_configs.py

writes anew what is expected of the files in tests/data/configs/wrong; read what it changed.
"""

from __future__ import annotations

import contextlib
import io
import os
import tempfile
from pathlib import Path

import pytest
from commands import arena, call

from arena.cli import main

CASES = sorted((Path(__file__).parents[1] / "data/configs/wrong").glob("*.yaml"))
BOTS = (
    *("bots/a.py", "bots/b.py", "bots/rules_bot.py", "bots/my bot.py", "bots/notes.txt"),
    *("team/bot.py", "clash/a.py", "clash/b c.py", "hidden/_a.py", "hidden/notes.txt"),
)


def make_bots(folder: Path) -> None:
    """Make what the configs refer to."""
    for name in BOTS:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).touch()
    (folder / "links").mkdir()
    (folder / "links/gone.py").symlink_to("nowhere.py")
    os.mkfifo(folder / "pipe")


def expected(case: Path) -> str:
    return case.with_suffix(".txt").read_text("utf-8")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Bots to refer to; it is the working folder."""
    make_bots(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("command", [("config", "check"), ("tournament",)], ids=" ".join)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_all_that_is_wrong_is_said_at_its_place(
    case: Path, command: tuple[str, ...], folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (folder / case.name).write_bytes(case.read_bytes())
    done = call(capfd, *command, case.name)
    assert (done.code, done.out) == (2, "")
    assert done.err == expected(case)
    assert not (folder / "results").exists()


def test_the_program_says_the_same_and_nothing_of_itself(folder: Path) -> None:
    (case,) = (case for case in CASES if case.stem == "all_at_once")
    (folder / case.name).write_bytes(case.read_bytes())
    for words in (("config", "check"), ("tournament",), ("rankings",), ("-v", "config", "show")):
        done = arena(*words, case.name, folder=folder)
        assert (done.code, done.out) == (2, "")
        assert "Traceback" not in done.err
        if words != ("rankings",):  # which does not look at bots
            assert done.err == expected(case)


def write_expectations() -> None:
    """Run the command on each case and keep what it says."""
    for case in CASES:
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            make_bots(Path(folder))
            Path(case.name).write_bytes(case.read_bytes())
            said = io.StringIO()
            with contextlib.redirect_stderr(said), contextlib.suppress(SystemExit):
                main(["config", "check", case.name])
            case.with_suffix(".txt").write_text(said.getvalue(), "utf-8")


if __name__ == "__main__":
    write_expectations()
