"""Whatever is done to a right config: it is right, or what is wrong is said at its place."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from arena.errors import ConfigError
from arena.tournament.config import read_config
from arena.tournament.config.document import MOST_PROBLEMS
from arena.tournament.config.schema import config_schema
from arena.tournament.config.show import show_yaml, understand
from arena.tournament.config.yaml_scalars import scalar

SCHEMA = Draft202012Validator(config_schema())
RIGHT = """\
name: autumn      # a comment
description: "Week 9: the finals"
variant: two_handed
options: {deck_size: 25, joker_upcard: redeal, stick_the_dealer: true}
seed: 20261129
boards: 100
tables: auto
limits:
  move: 1s
  game: null
  grace: 50 ms
faults: {no_start: stop, withdraw_after: null}
bots:
  - bots/a.py
  - 'bots/[c-z]*.py'
  - name: theirs
    path: bots/b.py
    command: [./run, --fast]
    params: &all {worlds: 30, deep: [1, {x: ~}], f: -0.5, s: "010"}
    env: {THREADS: "1"}
    limits: {move: 2s}
  - {name: "other \\u00e9".., path: bots/b.py, params: *all}
submissions: subs
rating:
  anchor: {theirs: 1000, a: -12.5}
run: {workers: 2, finish: 30s}
output:
  dir: results
""".replace('"other \\u00e9"..', '"other\\u00e9"')

PIECES = (
    *(":", ": ", "- ", ", ", "[", "]", "{", "}", "? ", "<<: *all", "&x ", "*all", "!x ", "!!str "),
    *("\n", "\r", "\t", "  ", "#", " #", "'", '"', "\\", "|", ">", "%", "@", "---\n", "...\n", "~"),
    *(
        "no",
        "010",
        "1:30",
        "1e3",
        ".inf",
        "2026-11-29",
        "=",
        "0x1F",
        "5",
        "-5",
        "9" * 30,
        "1s",
        "5 sec",
        "0_",
        "0__7",
        "1__0",
        "9" * 400 + ":30.5",
        "9" * 5000 + ":30.5",
        '!!int "1:"',
        '!!float "a:b"',
    ),
    *(
        "null",
        "bots",
        "limits",
        "workers",
        "auto",
        "../x",
        "名前",
        "\x1b",
        "\0",
        "\ufeff",
        "\u2028",
    ),
)
EDITS = st.lists(
    st.tuples(
        st.sampled_from(
            ["insert", "delete", "replace", "double line", "drop line", "indent", "swap"]
        ),
        st.integers(0, len(RIGHT)),
        st.integers(1, 30),
        st.sampled_from(PIECES) | st.text(max_size=3),
    ),
    min_size=1,
    max_size=4,
)


def edited(text: str, kind: str, at: int, length: int, piece: str) -> str:
    """Do one thing to a text."""
    lines = text.splitlines(keepends=True) or [""]
    number = at % len(lines)
    match kind:
        case "insert":
            return text[:at] + piece + text[at:]
        case "delete":
            return text[:at] + text[at + length :]
        case "replace":
            return text[:at] + piece + text[at + length :]
        case "double line":
            lines.insert(number, lines[number])
        case "drop line":
            lines.pop(number)
        case "indent":
            lines[number] = " " * (length % 5) + lines[number].lstrip(" ")
        case _:
            other = (at + length) % len(lines)
            lines[number], lines[other] = lines[other], lines[number]
    return "".join(lines)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("mutations")
    for name in ("bots/a.py", "bots/b.py", "bots/c.py", "subs/d.py"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).touch()
    return folder


def plain(node: yaml.Node) -> Any:
    """What a node stands for to one who reads names as they are written."""
    if isinstance(node, yaml.MappingNode):
        return {name.value: plain(value) for name, value in node.value}
    if isinstance(node, yaml.SequenceNode):
        return [plain(part) for part in node.value]
    assert isinstance(node, yaml.ScalarNode)
    return scalar(node)


def check_problems(error: ConfigError, text: str) -> None:
    lines = re.split("\r\n|[\n\r\x85\u2028\u2029]", text)
    assert 0 < len(error.problems) == min(error.number, MOST_PROBLEMS)
    places = [(problem.line, problem.column) for problem in error.problems]
    assert places == sorted(places)
    for problem in error.problems:
        assert 1 <= problem.line <= len(lines)
        assert 1 <= problem.column <= len(lines[problem.line - 1]) + 1
        assert problem.source in (lines[problem.line - 1], "") or "UTF-" in problem.text
        assert 0 < len(problem.text) < 1000
        assert "is not YAML" not in problem.text
    assert all(line.isprintable() for line in str(error).split("\n"))
    assert len(str(error)) < 100_000


def check(folder: Path, raw: bytes) -> None:
    path = folder / "tour.yaml"
    path.write_bytes(raw)
    try:
        written = read_config(path)
    except ConfigError as error:
        check_problems(error, raw.decode("utf-8-sig", "replace"))
        return
    root = yaml.compose(raw, yaml.CSafeLoader)
    assert root is not None
    SCHEMA.validate(plain(root))
    assert show_yaml(understand(written))


def test_the_config_is_right(folder: Path) -> None:
    (folder / "tour.yaml").write_text(RIGHT)
    config = read_config(folder / "tour.yaml").config
    assert [bot.name for bot in config.bots] == ["a", "c", "theirs", "otheré", "d"]
    check(folder, RIGHT.encode())


@pytest.mark.parametrize("piece", PIECES)
@pytest.mark.parametrize("value", ["20261129", "-12.5", "30", "-0.5", "2s", "autumn"])
def test_any_piece_as_a_value(folder: Path, value: str, piece: str) -> None:
    check(folder, RIGHT.replace(value, piece, 1).encode())


@settings(deadline=None, max_examples=400)
@given(EDITS)
def test_after_any_edits(folder: Path, edits: list[tuple[str, int, int, str]]) -> None:
    text = RIGHT
    for edit in edits:
        text = edited(text, *edit)
    check(folder, text.encode("utf-8", "surrogatepass"))


@settings(deadline=None, max_examples=200)
@given(st.integers(0, len(RIGHT)), st.binary(max_size=4))
@example(0, b"\xff\xfe")
def test_with_any_bytes_in_it(folder: Path, at: int, raw: bytes) -> None:
    check(folder, RIGHT[:at].encode() + raw + RIGHT[at:].encode())


@settings(deadline=None)
@given(st.integers(0, len(RIGHT.encode())))
def test_cut_off_anywhere(folder: Path, length: int) -> None:
    check(folder, RIGHT.encode()[:length])
