"""The configs that come with the project, and that what is written about keys is true."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
import yaml

from arena.tournament.config import Config, load_config
from arena.tournament.keys import BotKeys, ConfigKeys
from arena.tournament.readers import Keys

CONFIGS = Path(__file__).parents[2] / "configs"
README = (CONFIGS / "README.md").read_text()
FILES = sorted(CONFIGS.glob("*.yaml"))


def key_paths(struct: type[msgspec.Struct], above: str = "") -> Iterator[str]:
    """Every key as documents write it; a key with keys of its own stands for these."""
    for field in msgspec.structs.fields(struct):
        reader = get_args(field.type)[1]
        name = above + field.encode_name
        if isinstance(reader, Keys) and not above:
            yield from key_paths(reader.struct, name + ".")
        else:
            yield name
        if name == "bots":
            yield from key_paths(BotKeys, "bots[].")


KEYS = list(key_paths(ConfigKeys))


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
    names = {path.rpartition(".")[2] for path in key_paths(ConfigKeys)}
    assert [name for name in sorted(names) if not re.search(rf"\b{name}:", text)] == []


ROWS = re.findall(r"^\| `([\w.\[\]]+)` \| ([^|]*) \| [^|]+ \| [^|]+ \|$", README, re.MULTILINE)


def test_the_table_of_keys_is_complete() -> None:
    assert sorted(key for key, _ in ROWS) == sorted(KEYS)


def test_the_table_tells_the_defaults(tmp_path: Path) -> None:
    tree: dict[str, Any] = {"bots": ["a.py", "b.py"]}
    for bot in tree["bots"]:
        (tmp_path / bot).touch()
    plain = loaded(tmp_path, tree)
    for key, default in ROWS:
        value = yaml.safe_load(default.strip("`"))
        if re.fullmatch(r"`?[\w.]+`?", default) and value not in {"none", "required"}:
            *above, last = key.split(".")
            (tree.setdefault(above[0], {}) if above else tree)[last] = value
    assert len(tree) == 9
    assert loaded(tmp_path, tree) == plain


def loaded(folder: Path, tree: dict[str, Any]) -> Config:
    """Write values as a config and load it."""
    (folder / "x.yaml").write_text(yaml.safe_dump(tree))
    return load_config(folder / "x.yaml")


def test_what_the_readme_shows_is_a_config(tmp_path: Path) -> None:
    (shown,) = re.findall(r"^```yaml\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    (tmp_path / "bots").symlink_to(CONFIGS.parent / "bots")
    (tmp_path / "configs").mkdir()
    (tmp_path / "configs" / "x.yaml").write_text(shown)
    assert len(load_config(tmp_path / "configs" / "x.yaml").bots) == 2
