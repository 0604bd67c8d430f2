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


def at_level(folder: Path, level: str, *words: str) -> subprocess.CompletedProcess[str]:
    configure(folder, level, bots=["other.py", {"path": "looks"}])
    return arena(folder, *words)


def configure(folder: Path, level: str, **keys: object) -> None:
    limits = {"move": "30s", "start": "60s"}
    config = {"isolation": level, "limits": limits, "options": {"target_score": 1}, **keys}
    (folder / "tour.yaml").write_text(json.dumps(config))


def arena(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
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
    done = at_level(folder, level, *words)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "looks: is built, once: " in done.stderr


def test_replay_asks_a_stranger_as_isolated_as_in_a_run(folder: Path) -> None:
    """Whoever is named, or lies among the submissions; one's own bot has the terminal."""
    keys = {"bots": ["other.py", "own.py"], "submissions": "subs", "boards": 1}
    (folder / "subs").mkdir()
    (folder / "looks").rename(folder / "subs" / "looks")
    bot = folder / "subs" / "looks" / "bot.py"
    source = bot.read_text()
    bot.write_text(f"print('\x1b[2J')\n{source}")
    (folder / "own.py").write_text(source)
    (folder / "secret").rename(folder / "hidden")
    configure(folder, "none", **keys)
    assert arena(folder, "tournament", "tour.yaml").returncode == 0
    (folder / "hidden").rename(folder / "secret")
    for level in ("sandbox", "auto"):
        configure(folder, level, **keys)
        for game, named in (
            ("looks:other", "looks"),
            ("looks:other", "subs/looks"),
            ("other:own", "own"),
        ):
            done = arena(folder, "replay", "tour.yaml", f"{game}/0/0", "--to", named)
            assert done.returncode == 0, done.stdout + done.stderr
            assert done.stdout.endswith(", all answered as recorded\n")
            assert "\x1b" not in done.stderr
    done = arena(folder, "replay", "tour.yaml", "other:own/0/0", "--to", "own.py")
    assert done.returncode == 1
    assert "AssertionError" in done.stderr


def test_without_isolation_it_sees_what_is_there(folder: Path) -> None:
    done = at_level(folder, "none", "check", "looks", "--config", "tour.yaml", "--position", "1")
    assert done.returncode == 2
    assert "looks: its build failed" in done.stderr
