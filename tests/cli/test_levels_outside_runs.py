"""Bots that are started outside of a run have no more than in one: all that is made of them too."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from commands import PATIENCE_S, RANDOM_BOT

from arena.tournament import snapshot

pytestmark = pytest.mark.skipif(shutil.which("bwrap") is None, reason="there is no sandbox here")

LOOKS = "import os; assert not os.path.exists({!r})\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with a bot that neither starts nor is built where it sees a file beside it."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    secret = tmp_path / "secret"
    secret.touch()
    bot = tmp_path / "looks"
    bot.mkdir()
    (bot / "bot.py").write_text(LOOKS.format(str(secret)) + RANDOM_BOT)
    build = ["sh", "-c", f"test ! -e {secret}"]
    (bot / "bot.yaml").write_text(json.dumps({"build": build}))
    (tmp_path / "other.py").write_text(RANDOM_BOT)
    yield tmp_path
    if (tmp_path / "cache").exists():
        snapshot.remove(tmp_path / "cache")


def arena(folder: Path, level: str, *words: str) -> subprocess.CompletedProcess[str]:
    limits = {"move": "30s", "start": "60s"}
    config = {"bots": ["other.py", {"path": "looks"}], "isolation": level, "limits": limits}
    (folder / "tour.yaml").write_text(json.dumps(config))
    return subprocess.run(
        [sys.executable, "-m", "arena", *words],
        cwd=folder,
        input="",
        capture_output=True,
        text=True,
        timeout=2 * PATIENCE_S,
        check=False,
    )


@pytest.mark.parametrize("level", ["sandbox", "auto"])
@pytest.mark.parametrize(
    "words",
    [
        ("check", "looks", "--config", "tour.yaml", "--position", "1"),
        ("play", "looks", "--config", "tour.yaml"),
        ("play", "other.py", "--hints", "looks", "--config", "tour.yaml"),
    ],
    ids=" ".join,
)
def test_a_bot_is_as_isolated_as_in_a_run(folder: Path, words: tuple[str, ...], level: str) -> None:
    done = arena(folder, level, *words)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "looks: is built, once: " in done.stderr


def test_without_isolation_it_sees_what_is_there(folder: Path) -> None:
    done = arena(folder, "none", "check", "looks", "--config", "tour.yaml", "--position", "1")
    assert done.returncode == 2
    assert "looks: its build failed" in done.stderr
