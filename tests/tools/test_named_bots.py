"""Bots named by their paths: files, folders, programs, and what is no bot."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from arena.errors import UserError
from arena.runtime.executor import BotSpec, Limits
from arena.tools.bots import bot_at

LIMITS = Limits()


def taken(path: Path, limits: Limits = LIMITS) -> BotSpec:
    return bot_at(str(path), path.parent / "kept", limits, level="none")


def test_a_file_a_folder_and_a_program(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text("print(1)")
    (tmp_path / "two").mkdir()
    (tmp_path / "two" / "bot.py").write_text("print(2)")
    (tmp_path / "three").write_text("#!/bin/sh\n")
    (tmp_path / "three").chmod(0o755)
    found = [taken(tmp_path / name) for name in ("one.py", "two", "three")]
    assert [bot.version for bot in found] == ["one@1", "two@1", "three@1"]
    assert [bot.argv[-1] for bot in found] == ["one.py", "bot.py", "three"]
    assert all(Path(bot.folder).is_relative_to(tmp_path / "kept") for bot in found)
    assert all((Path(bot.folder) / bot.argv[-1]).is_file() for bot in found)
    assert found[0].argv[0] == sys.executable
    assert found[0].limits == LIMITS
    patient = Limits(move_ms=9_000)
    assert taken(tmp_path / "one.py", patient).limits == patient


@pytest.mark.parametrize(
    ("name", "why"),
    [("nine.py", "did you mean"), ("_one.py", "no bot name"), ("notes.txt", "neither a Python")],
)
def test_what_is_no_bot(tmp_path: Path, name: str, why: str) -> None:
    for file in ("nice.py", "_one.py", "notes.txt"):
        (tmp_path / file).write_text("")
    with pytest.raises(UserError, match=why):
        taken(tmp_path / name)
