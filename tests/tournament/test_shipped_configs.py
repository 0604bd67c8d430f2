"""The configs that come with the project."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from arena.tournament.config import load_config
from arena.tournament.config.keys import BotKeys, ConfigKeys
from arena.tournament.config.mappings import Keys, key_fields

CONFIGS = Path(__file__).parents[2] / "configs"
README = (CONFIGS / "README.md").read_text()
FILES = sorted(CONFIGS.glob("*.yaml"))


def key_names(struct: type[msgspec.Struct]) -> Iterator[str]:
    """Every key that a config may have."""
    for one in key_fields(struct).values():
        yield one.name
        if isinstance(one.reader, Keys):
            yield from key_names(one.reader.struct)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_each_loads(file: Path) -> None:
    config = load_config(file)
    config.require_field()
    assert f"`{file.name}`" in README


def test_quick_is_small_and_the_same_for_everybody() -> None:
    config = load_config(CONFIGS / "quick.yaml")
    assert (config.seed, len(config.bots)) == ("20261129", 3)
    assert config.boards <= 50


def test_the_league_takes_submissions() -> None:
    assert load_config(CONFIGS / "league.yaml").submissions is not None


def test_the_example_has_every_key() -> None:
    text = (CONFIGS / "example_full.yaml").read_text()
    names = {*key_names(ConfigKeys), *key_names(BotKeys)}
    assert [name for name in sorted(names) if not re.search(rf"\b{name}:", text)] == []


@pytest.mark.parametrize(
    "shown", re.findall(r"^```yaml\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
)
def test_what_the_readme_shows_is_a_config(tmp_path: Path, shown: str) -> None:
    (tmp_path / "bots").symlink_to(CONFIGS.parent / "bots")
    (tmp_path / "configs").mkdir()
    (tmp_path / "configs" / "x.yaml").write_text(shown)
    assert len(load_config(tmp_path / "configs" / "x.yaml").bots) == 2
