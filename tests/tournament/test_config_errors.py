"""How problems are shown. What is said of which mistake: tests/cli/test_wrong_configs.py."""

from __future__ import annotations

import sys
from difflib import get_close_matches
from pathlib import Path
from unittest import mock

import pytest

from arena import rules
from arena.errors import ConfigError
from arena.tournament.config import load_config

TWO = "bots: [bots/a.py, bots/b.py]\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Bots to refer to; the working folder is the config's."""
    for name in ("bots/a.py", "bots/b.py", "bots/rules_bot.py", "bots/my bot.py", "bots/notes.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    for name in ("team/bot.py", "clash/a.py", "clash/b c.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_problems_are_shown_with_line_and_caret(folder: Path) -> None:
    (folder / "bad.yaml").write_text(TWO + "名前: x\nlimits:\n  móve: 5\n")
    with pytest.raises(ConfigError) as caught:
        load_config("bad.yaml")
    first, *rest = f"error: {caught.value}".splitlines()
    assert first.startswith("error: bad.yaml:2:1: 名前: unknown key; keys are name, description,")
    assert rest == [
        "     2 | 名前: x",
        "       | ^",
        'error: bad.yaml:4:3: limits.móve: unknown key; did you mean "move"?',
        "     4 |   móve: 5",
        "       |   ^",
        "error: bad.yaml:4:9: limits.move: 5 has no unit; write 5ms, 5s or 5m",
        "     4 |   móve: 5",
        "       |         ^",
        "3 errors in bad.yaml",
    ]


def test_wide_letters_and_tabs_do_not_move_the_caret(folder: Path) -> None:
    (folder / "bad.yaml").write_text('description: "名前"\tx\n' + TWO)
    with pytest.raises(ConfigError) as caught:
        load_config("bad.yaml")
    _, line, caret, total = str(caught.value).splitlines()
    assert (line, caret) == ('     1 | description: "名前" x', "       | " + " " * 20 + "^")
    assert total == "1 error in bad.yaml"


def test_of_a_long_line_only_the_part_around_the_place_is_shown(folder: Path) -> None:
    text = f"{{bots: [bots/a.py, bots/b.py], description: {'x' * 500}, boards: 0}}"
    (folder / "bad.yaml").write_text(text)
    with pytest.raises(ConfigError) as caught:
        load_config("bad.yaml")
    _, line, caret, _ = str(caught.value).splitlines()
    assert len(line) < 120
    assert line[caret.index("^")] == "0"


def test_many_problems_in_one_long_line(folder: Path) -> None:
    text = "{bots: [bots/a.py, bots/b.py], run: {" + ", ".join(f"{n}: 1" for n in range(5_000))
    (folder / "bad.yaml").write_text(text + "}}")
    guess = mock.patch(
        "arena.tournament.config.mappings.get_close_matches", wraps=get_close_matches
    )
    with guess as guessing, pytest.raises(ConfigError) as caught:
        load_config("bad.yaml")
    assert str(caught.value).endswith("\n5000 errors in bad.yaml; the first 50 are shown")
    assert len(str(caught.value)) < 50_000
    assert (len(caught.value.problems), caught.value.number) == (50, 5_000)
    assert guessing.call_count == 1_000  # guessing at all of a large file would take minutes


def test_what_a_terminal_would_obey_is_escaped(folder: Path) -> None:
    text = 'bots: [bots/a.py, {name: "\\e[31m", path: bots/b.py}]\n"\\x9b1m": 1\n'
    (folder / "bad.yaml").write_text(text)
    with pytest.raises(ConfigError) as caught:
        load_config("bad.yaml")
    assert all(line.isprintable() for line in str(caught.value).splitlines())
    assert '"\\x1b[31m" is no bot name' in str(caught.value)


THREE_SEATS = """
from arena.rules.base import Variant
from arena.rules.two_handed import Options, TwoHanded, conflicts

class Three(TwoHanded, frozen=True):
    @property
    def seats(self):
        return 3

VARIANT = Variant("three", Options, conflicts, Three)
"""


def test_a_variant_with_other_than_two_seats(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "three.py").write_text(THREE_SEATS)
    monkeypatch.setattr(rules, "__path__", [*rules.__path__, str(folder)])
    rules._variants.cache_clear()
    (folder / "bad.yaml").write_text(TWO + "variant: three\noptions: {deck_size: 26}\n")
    try:
        with pytest.raises(ConfigError) as caught:
            load_config("bad.yaml")
    finally:
        rules._variants.cache_clear()
        sys.modules.pop("arena.rules.three", None)
    first, second = caught.value.problems
    assert (first.line, first.column, first.key) == (2, 10, "variant")
    assert first.text == "has 3 seats; tournaments are for variants with 2"
    assert second.key == "options.deck_size"
