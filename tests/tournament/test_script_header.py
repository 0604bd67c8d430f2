"""What a Python file says that it needs: read as PEP 723 has it, mistakes told with their place."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import SupportsIndex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import ConfigError
from arena.tournament.config.document import Document
from arena.tournament.preparing import script
from arena.tournament.preparing.script import requirements


def read(tmp_path: Path, text: str) -> tuple[str, ...]:
    file = tmp_path / "bot.py"
    file.write_text(text)
    return requirements(file, "mine.py")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("import os\n", ()),
        ("# /// script\n# ///\n", ()),
        ("# /// script\n# dependencies = []\n# ///\n", ()),
        ('# /// script\n# dependencies = ["b", "a>=2", "b"]\n# ///\n', ("a>=2", "b")),
        (
            'x = 1\n\n# /// script\n# dependencies = [\n#   "a[x]~=1.0",\n# ]\n#\n# ///\n',
            ("a[x]~=1.0",),
        ),
        ('# /// script\r\n# dependencies = ["a"]\r\n# ///\r\n', ("a",)),
        ('# /// script\n# dependencies = ["arena", "Arena>=0"]\n# ///\n', ()),
        ('# /// script\n# requires-python = ">=3.8"\n# [tool.x]\n# y = 1\n# ///\n', ()),
        ('# /// other\n# dependencies = ["a"]\n# ///\n', ()),
        ("# /// script\n# dependencies = [\"a; os_name > '3'\"]\n# ///\n", ('a; os_name > "3"',)),
        ('    # /// script\n    # dependencies = ["a"]\n    # ///\n', ()),
    ],
)
def test_what_a_file_depends_on(tmp_path: Path, text: str, wanted: tuple[str, ...]) -> None:
    assert read(tmp_path, text) == wanted


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["dependencies = ["], "mine.py:3:3: is no TOML: Invalid value"),
        (["x = 1", "///", "words"], "mine.py:4:3: is no TOML: "),  # the last end ends it
        (["a b"], "mine.py:3:5: is no TOML: Expected '=' after a key in a key/value pair"),
        (['dependencies = "a"'], 'mine.py:3:3: dependencies: expected a list such as ["numpy>=2"]'),
        (["dependencies = [1]"], "mine.py:3:3: dependencies: expected a list"),
        (['dependencies = ["a b"]'], 'mine.py:3:20: "a b" is no dependency such as "numpy>=2"'),
        (["dependencies = [", ' "-rx",', "]"], 'mine.py:4:5: "-rx" is no dependency such as'),
        (['dependencies = ["./x"]'], 'mine.py:3:20: "./x" is no dependency such as'),
        (['dependencies = ["a @ file:///x"]'], '"a @ file:///x" says where it is; give a name'),
        (['dependencies = ["a @ https://x/a.whl"]'], "says where it is; give a name and versions"),
        (["dependencies = [" + '"a",' * 101 + "]"], "dependencies: are too many or too long; 100"),
        (['dependencies = ["' + "a" * 301 + '"]'], "dependencies: are too many or too long; 100"),
        (['dependancies = ["a"]'], 'dependancies: unknown key; did you mean "dependencies"?'),
        (["colour = 1"], "colour: unknown key; keys are dependencies, requires-python, tool"),
        (['requires-python = ">=9"'], "requires-python: is >=9, and this arena runs on Python 3."),
        (
            ['requires-python = "new"'],
            'requires-python: expected something like ">=3.11", got "new"',
        ),
        (["requires-python = 3"], 'requires-python: expected text such as ">=3.11"'),
        # What Python's own limits forbid is a mistake like others.
        (["dependencies = " + "[" * 5_000], "mine.py:2:1: is no TOML: a number is too long, or"),
        (["tool = " + "{a=" * 3_000], "mine.py:2:1: is no TOML: a number is too long, or lists"),
        (["tool = " + "9" * 5_000], "mine.py:2:1: is no TOML: a number is too long, or lists"),
        ([f'requires-python = "=={"1" * 5_000}"'], 'requires-python: expected something like ">='),
        (['dependencies = ["a; ' + "(" * 290 + '"]'], "is no dependency such as"),
        (["[tool]", *["x = 1"] * 2_000], "mine.py:2:1: is longer than 10000 characters"),
    ],
)
def test_mistakes(tmp_path: Path, lines: list[str], said: str) -> None:
    text = "\n".join(["import os", "# /// script", *(f"# {line}" for line in lines), "# ///", ""])
    with pytest.raises(ConfigError) as error:
        read(tmp_path, text)
    assert said in str(error.value)


def test_all_mistakes_at_once_with_their_lines(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as error:
        read(
            tmp_path,
            '# /// script\n# dependencies = ["a b"]\n# pythn = 3\n# ///\n\n# /// script\n# ///\n'
            "# /// script\nx = 1\n",
        )
    assert [(problem.line, problem.column) for problem in error.value.problems] == [
        *((2, 20), (3, 3), (6, 1), (8, 1))
    ]
    assert "     2 | # dependencies = [" in str(error.value)


def test_bytes_that_are_no_text_are_no_matter(tmp_path: Path) -> None:
    file = tmp_path / "bot.py"
    file.write_bytes(b'# \xff\n# /// script\n# dependencies = ["a"]\n# ///\n')
    assert requirements(file, "mine.py") == ("a",)


@given(st.text(max_size=30), st.integers(0, 6_000), st.sampled_from(["", '"', "[", "x = "]))
def test_whatever_a_header_holds_it_is_read_or_is_a_mistake(
    tmp_path_factory: pytest.TempPathFactory, part: str, times: int, before: str
) -> None:
    file = tmp_path_factory.mktemp("header") / "bot.py"
    for key in ("dependencies", "requires-python", "tool"):
        lines = f"{key} = {before}{part * times}".splitlines()
        text = "\n".join(["# /// script", *(f"# {line}" for line in lines), "# ///"])
        file.write_bytes(text.encode("utf-8", "replace"))
        with contextlib.suppress(ConfigError):
            requirements(file, "mine.py")


class CountedLine(str):
    """A line that counts how often it is looked at."""

    __slots__ = ()
    looks = 0

    def rstrip(self, chars: str | None = None, /) -> str:
        CountedLine.looks += 1
        return super().rstrip(chars)

    def __getitem__(self, key: SupportsIndex | slice, /) -> str:
        CountedLine.looks += 1
        return super().__getitem__(key)


class CountedDocument(Document):
    def __init__(self, path: str, text: str) -> None:
        super().__init__(path, text)
        self.lines = list(map(CountedLine, self.lines))


@pytest.mark.parametrize("between", [[], ["x"], ["# ///", "x"], ["# a", "x"]])
def test_no_line_is_read_again_and_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, between: list[str]
) -> None:
    """However often a header begins: else a small file could take minutes."""
    monkeypatch.setattr(script, "Document", CountedDocument)
    monkeypatch.setattr(CountedLine, "looks", 0)
    lines = ["# /// script", *between] * 300
    with pytest.raises(ConfigError):
        read(tmp_path, "\n".join(lines))
    assert len(lines) <= CountedLine.looks <= 4 * len(lines)
