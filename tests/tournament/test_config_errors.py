"""Wrong configs: every problem of a file at once, at its place, in words that help."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from arena import rules
from arena.errors import ConfigError, UserError
from arena.tournament.config import load_config

TWO = "bots: [bots/a.py, bots/b.py]\n"
CASES = Path(__file__).parents[1] / "data" / "config" / "wrong.txt"


def wrong_configs() -> list[Any]:
    """Each case: a config, and its problems as they are to be shown."""
    cases = []
    for case in CASES.read_text().split("=== ")[1:]:
        name, _, rest = case.partition("\n")
        config, _, problems = rest.rpartition("---\n")
        cases.append(pytest.param(config, problems.splitlines(), id=name))
    return cases


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


@pytest.mark.parametrize(("config", "problems"), wrong_configs())
def test_each_problem_at_its_place(config: str, problems: list[str], folder: Path) -> None:
    (folder / "bad.yaml").write_text(config)
    with pytest.raises(ConfigError) as caught:
        load_config("bad.yaml")
    shown = [line for line in f"error: {caught.value}".splitlines() if line.startswith("error: ")]
    assert shown == [f"error: bad.yaml:{problem}" for problem in problems]


def test_the_problems_are_shown_with_line_and_caret(folder: Path) -> None:
    (folder / "bad.yaml").write_text(TWO + "名前: x\nlimits:\n  móve: 5\n")
    with pytest.raises(ConfigError) as caught:
        load_config("bad.yaml")
    first, *rest = f"error: {caught.value}".splitlines()
    assert first.startswith("error: bad.yaml:2:1: 名前: unknown key; keys are bots, name,")
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
    with pytest.raises(ConfigError) as caught:
        load_config("bad.yaml")
    assert str(caught.value).endswith("5000 errors in bad.yaml")


def test_what_a_terminal_would_obey_is_escaped(folder: Path) -> None:
    text = 'bots: [bots/a.py, {name: "\\e[31m", path: bots/b.py}]\n"\\x9b1m": 1\n'
    (folder / "bad.yaml").write_text(text)
    with pytest.raises(ConfigError) as caught:
        load_config("bad.yaml")
    assert all(line.isprintable() for line in str(caught.value).splitlines())
    assert '"\\x1b[31m" is no bot name' in str(caught.value)


def write(path: Path, raw: bytes) -> Path:
    path.write_bytes(raw)
    return path


def test_files_that_cannot_be_read(folder: Path) -> None:
    texts = {
        "no.yaml": "no.yaml: no such file",
        "bots": "bots: is a folder; give the config file in it",
        "bots/a.py/x": "bots/a.py/x: cannot be read: Not a directory",
        "a\0b": "a\0b: cannot be read: embedded null byte",
    }
    for name, text in texts.items():
        with pytest.raises(UserError) as caught:
            load_config(name)
        assert str(caught.value) == text


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b"bots: [\xff]", "line 1 is not UTF-8 text; save the file as UTF-8"),
        (TWO.encode("utf-16"), "line 1 is not UTF-8 text; save the file as UTF-8"),
        (b"#" * 1_000_001, "is larger than 1000000 bytes; this is no config"),
    ],
)
def test_files_that_are_no_text(folder: Path, raw: bytes, text: str) -> None:
    write(folder / "bad.yaml", raw)
    with pytest.raises(UserError) as caught:
        load_config("bad.yaml")
    assert str(caught.value) == f"bad.yaml: {text}"


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (
            b"[" * 100_000,
            "is not YAML: while increasing flow level, exceeded maximum nesting depth",
        ),
        (b"[" * 60 + b"]" * 60, "is nested more than 50 levels deep"),
        (b"a: &x [*x]\n", "is nested more than 50 levels deep"),
        (b"- x\n" * 100_001, "stands for more than 100000 values or 10000000 characters"),
        (
            b"a: &a [x,x,x,x,x,x,x,x,x,x]\n"
            + b"".join(
                b"%c: &%c [%s]\n" % (c, c, b",".join([b"*%c" % (c - 1)] * 10)) for c in b"bcdefghi"
            ),
            "stands for more than 100000 values or 10000000 characters",
        ),
        (
            b"a: &a " + b"x" * 900_000 + b"\nb: [" + b",".join([b"*a"] * 12) + b"]\n",
            "stands for more than 100000 values or 10000000 characters",
        ),
    ],
)
def test_files_that_stand_for_too_much(folder: Path, raw: bytes, text: str) -> None:
    write(folder / "bad.yaml", raw)
    with pytest.raises(ConfigError) as caught:
        load_config("bad.yaml")
    assert [p.text for p in caught.value.problems] == [text]


def test_control_characters_are_refused_and_not_shown(folder: Path) -> None:
    write(folder / "bad.yaml", b"bots: [a, \x1b[31mb]\n")
    with pytest.raises(ConfigError) as caught:
        load_config("bad.yaml")
    assert "is not YAML" in str(caught.value)
    assert "\x1b" not in str(caught.value)


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
