"""The built wheel: what is in it, what it says of itself, that it runs where nothing else is."""

from __future__ import annotations

import email
import json
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
from email.message import Message
from pathlib import Path
from zipfile import ZipFile

import pytest

import arena

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def run(*words: str | Path, cwd: Path = ROOT) -> str:
    ended = subprocess.run(
        list(map(str, words)), cwd=cwd, capture_output=True, text=True, timeout=100, check=False
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def metadata(wheel: Path) -> Message:
    with ZipFile(wheel) as file:
        return email.message_from_bytes(file.read(f"arena-{arena.__version__}.dist-info/METADATA"))


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an environment with the wheel and what it depends on, nothing else.

    The dependencies are those of this environment; the way to our own source is not among them.
    """
    home = tmp_path_factory.mktemp("environment") / "venv"
    run(sys.executable, "-m", "venv", "--without-pip", home)
    installed = home / "bin" / "python"
    pip = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")
    run(*pip, "--python", installed, "install", "--no-index", "--no-deps", wheel)
    (site,) = home.glob("lib/python*/site-packages")
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return installed


# what is in it


def test_the_wheel_holds_arena_and_nothing_else(wheel: Path) -> None:
    with ZipFile(wheel) as file:
        names = [name for name in file.namelist() if ".dist-info/" not in name]
    source = [path for path in (ROOT / "arena").rglob("*") if path.is_file()]
    wanted = [str(path.relative_to(ROOT)) for path in source if "__pycache__" not in path.parts]
    assert sorted(names) == sorted(wanted)
    assert "arena/py.typed" in names


def test_it_is_for_any_python_3(wheel: Path) -> None:
    assert wheel.name == f"arena-{arena.__version__}-py3-none-any.whl"


def test_the_license_is_in_it(wheel: Path, metadata: Message) -> None:
    with ZipFile(wheel) as file:
        (name,) = [name for name in file.namelist() if name.endswith("/LICENSE")]
        assert file.read(name) == (ROOT / "LICENSE").read_bytes()
    assert metadata["License-Expression"] == "MIT"


# what it says of itself


def test_its_version_and_python(metadata: Message) -> None:
    assert metadata["Name"] == "arena"
    assert metadata["Version"] == PROJECT["version"] == arena.__version__
    assert metadata["Requires-Python"] == ">=3.11"


def test_dependencies_have_lower_bounds_only(metadata: Message) -> None:
    required = metadata.get_all("Requires-Dist", [])
    assert len(required) > 5
    for requirement in required:
        assert re.fullmatch(r"[\w-]+>=[\d.]+(; extra == '\w+')?", requirement)


def test_the_changelog_knows_this_version() -> None:
    headings = re.findall(r"^## \[(.+?)\]", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert headings[0] in ("Unreleased", arena.__version__)
    released = [tuple(map(int, heading.split("."))) for heading in headings if "." in heading]
    assert released == sorted(released, reverse=True)
    assert all(version <= tuple(map(int, PROJECT["version"].split("."))) for version in released)


# that it runs


def test_the_installed_one_is_the_wheel(python: Path) -> None:
    where = run(python, "-c", "import arena; print(arena.__file__)", cwd=python.parent)
    assert Path(where.strip()).is_relative_to(python.parents[1])
    assert run(python, "-m", "arena", "--version", cwd=python.parent) == (
        f"arena {arena.__version__}\n"
    )


def test_it_plays_a_config_written_beside_it(python: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        shutil.copy(ROOT / "bots" / "random_bot.py", tmp_path / f"{name}.py")
    config = {"bots": ["one.py", "two.py"], "boards": 1, "options": {"target_score": 1}}
    (tmp_path / "mine.yaml").write_text(json.dumps(config))
    table = run(python.with_name("arena"), "tournament", "mine.yaml", cwd=tmp_path)
    assert [row.split()[5] for row in table.splitlines()[1:]] == ["2", "2"]
    (tmp_path / "g.jsonl").write_text(
        run(python, "-m", "arena", "export", "mine.yaml", cwd=tmp_path)
    )
    assert run(python, "-m", "arena", "verify", "g.jsonl", cwd=tmp_path).startswith("ok: 2 games,")


def test_it_makes_a_tournament_that_runs_and_a_bot_for_it(python: Path, tmp_path: Path) -> None:
    arena_command = python.with_name("arena")
    run(arena_command, "init", "contest", cwd=tmp_path)
    run(arena_command, "new-bot", "mine", "--dir", "contest/bots", cwd=tmp_path)
    config = tmp_path / "contest" / "tournament.yaml"
    config.write_text(config.read_text().replace("boards: 50", "boards: 1"))
    table = run(arena_command, "tournament", "contest/tournament.yaml", cwd=tmp_path)
    bots = sorted(row.split()[1] for row in table.splitlines()[1:])
    assert bots == ["mine", "minimal", "protocol", "starter"]
