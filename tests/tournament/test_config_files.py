"""Files that cannot be read, are no text, are no YAML, or stand for more than is bearable."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from arena.errors import ConfigError, UserError
from arena.tournament.config import load_config

TWO = "bots: [bots/a.py, bots/b.py]\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two bots; it is the working folder."""
    (tmp_path / "bots").mkdir()
    for name in ("bots/a.py", "bots/b.py"):
        (tmp_path / name).touch()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def said(path: str) -> str:
    """The whole error."""
    with pytest.raises(UserError) as caught:
        load_config(path)
    return str(caught.value)


def place(raw: bytes, name: str = "bad.yaml") -> tuple[int, int, str]:
    """Where and what the one problem of a file is."""
    Path(name).write_bytes(raw)
    with pytest.raises(ConfigError) as caught:
        load_config(name)
    (problem,) = caught.value.problems
    assert problem.key == ""
    return problem.line, problem.column, problem.text


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("no.yaml", "no such file"),
        ("autum.yaml", 'no such file; did you mean "autumn.yaml"?'),
        ("autumn", 'no such file; did you mean "autumn.yaml"?'),
        ("nowhere/x.yaml", "no such file; there is no folder nowhere"),
        ("dangling.yaml", "is a link to gone.yaml, which does not exist"),
        ("loop.yaml", "cannot be read: Too many levels of symbolic links"),
        ("bots", "is a folder; give the config file in it"),
        (".", "is a folder; give the config file in it, such as autumn.yaml"),
        ("bots/a.py/x", "cannot be read: Not a directory"),
        ("pipe.yaml", "is neither a file nor a folder, but a device or a pipe"),
        ("/dev/null", "is neither a file nor a folder, but a device or a pipe"),
        ("x" * 300, "cannot be read: File name too long"),
        ("large.yaml", "is larger than 1000000 bytes, so it is no config"),
    ],
)
def test_files_that_cannot_be_read(folder: Path, path: str, text: str) -> None:
    (folder / "autumn.yaml").touch()
    (folder / "dangling.yaml").symlink_to("gone.yaml")
    (folder / "loop.yaml").symlink_to("loop.yaml")
    (folder / "large.yaml").write_bytes(b"#" * 1_000_001)
    os.mkfifo(folder / "pipe.yaml")
    assert said(path) == f"{path}: {text}"


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a\0b", "a\\x00b: cannot be read: embedded null byte"),
        ("a\nb.yaml", "a\\nb.yaml: no such file"),
        ("\x1b[31m/x", "\\x1b[31m/x: no such file; there is no folder \\x1b[31m"),
        ("\udcff.yaml", "\\udcff.yaml: no such file"),
    ],
)
def test_paths_cannot_steer_a_terminal(folder: Path, path: str, text: str) -> None:
    assert said(path) == text


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read(folder: Path) -> None:
    (folder / "bad.yaml").touch(0o000)
    assert said("bad.yaml") == "bad.yaml: cannot be read: Permission denied"


@pytest.mark.parametrize(
    ("coding", "shown"),
    [
        ("utf-16", "UTF-16"),
        ("utf-16-le", "UTF-16-LE"),
        ("utf-16-be", "UTF-16-BE"),
        ("utf-32", "UTF-32"),
        ("utf-32-le", "UTF-32-LE"),
        ("utf-32-be", "UTF-32-BE"),
    ],
)
def test_other_codings_of_unicode(folder: Path, coding: str, shown: str) -> None:
    Path("bad.yaml").write_bytes(TWO.encode(coding))
    assert said("bad.yaml") == (
        f"bad.yaml:1:1: is {shown} text; save the file as UTF-8\n"
        "     1 | bots: [bots/a.py, bots/b.py]\n"
        "       | ^\n"
        "1 error in bad.yaml"
    )


def test_old_codings(folder: Path) -> None:
    Path("bad.yaml").write_bytes(TWO.encode() + "description: Prüfung, für\n".encode("latin-1"))
    assert said("bad.yaml") == (
        'bad.yaml:2:16: the byte fc is not UTF-8 text (perhaps "ü" of an old coding);'
        " save the file as UTF-8\n"
        "     2 | description: Pr\ufffdfung, f\ufffdr\n"
        "       |                ^\n"
        "1 error in bad.yaml"
    )
    assert place(TWO.encode() + "ü: ".encode() + b"\xff\xff") == (
        *(2, 4),
        'the byte ff is not UTF-8 text (perhaps "ÿ" of an old coding); save the file as UTF-8',
    )
    assert place(b"\x81") == (1, 1, "the byte 81 is not UTF-8 text; save the file as UTF-8")
    assert place("name: ü".encode()[:-1])[:2] == (1, 7)


@pytest.mark.parametrize(
    "raw",
    [
        b"\x7fELF\x02\x01\x01" + b"\0" * 9,
        b"SQLite format 3\0\x10\0\x01\x01\0\0",
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\1",
    ],
)
def test_files_that_are_no_text(folder: Path, raw: bytes) -> None:
    assert place(raw) == (1, 1, "is no text, so it is no config")


@pytest.mark.parametrize(
    ("raw", "column", "name"),
    [
        (b"name: \x1b[31mx\n", 7, "001B"),
        (b"a: \x7f", 4, "007F"),
        (b"a: \0", 4, "0000"),
        (b"\x0c", 1, "000C"),
    ],
)
def test_control_characters(folder: Path, raw: bytes, column: int, name: str) -> None:
    text = f'the character U+{name} may not stand in a config; write "\\u{name}" for it'
    assert place(TWO.encode() + raw) == (2, column, text)


@pytest.mark.parametrize("raw", [b"", b"\n\n", b"# x\n", b"---\n", b"~", b"\xef\xbb\xbf"])
def test_files_with_nothing_in_them(folder: Path, raw: bytes) -> None:
    assert place(raw) == (1, 1, "is empty; a whole config is: bots: [a.py, b.py]")


@pytest.mark.parametrize("raw", [b"<!DOCTYPE html>\n<p>x: y", b"\n <html>", b'<?xml version="1"?>'])
def test_pages_of_the_web(folder: Path, raw: bytes) -> None:
    assert place(raw) == (1, 1, "is HTML or XML, so it is no config")


@pytest.mark.parametrize("raw", [b"import os\nprint(os)\n", b"", b"x: int\n", b'"""A bot."""\n'])
def test_a_bot_in_place_of_a_config(folder: Path, raw: bytes) -> None:
    text = "is a program; a config names it: bots: [a.py, b.py]"
    assert place(raw, "my_bot.py") == (1, 1, text)


BOMB = b"".join(b"%c: &%c [%s]\n" % (c, c, b",".join([b"*%c" % (c - 1)] * 10)) for c in b"bcdefghi")
TOO_LARGE = (1, 1, "stands for more than 100000 values or 10000000 characters")


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        (b"[" * 100_000, (1, 1001, "is nested more than 50 levels deep")),
        (b"- " * 100_000, (1, 1999, "is nested more than 50 levels deep")),
        (b"a: " + b"[" * 60 + b"]" * 60, (1, 53, "is nested more than 50 levels deep")),
        (b"a: 1\nb: &x [*x]\n", (2, 4, "an alias (*) in this leads back to it")),
        (b"&x {a: [*x]}\n", (1, 1, "an alias (*) in this leads back to it")),
        (b"- x\n" * 100_001, TOO_LARGE),
        (b"a: &a [x,x,x,x,x,x,x,x,x,x]\n" + BOMB, TOO_LARGE),
        (b"a: &a " + b"x" * 900_000 + b"\nb: [" + b",".join([b"*a"] * 12) + b"]\n", TOO_LARGE),
    ],
)
def test_files_that_stand_for_too_much(
    folder: Path, raw: bytes, problem: tuple[int, int, str]
) -> None:
    assert place(raw) == problem


def test_very_many_options_are_one_problem(folder: Path) -> None:
    options = "".join(f"  x{number}: 1\n" for number in range(101))
    Path("bad.yaml").write_text(f"{TWO}options:\n{options}")
    with pytest.raises(ConfigError) as caught:
        load_config("bad.yaml")
    (problem,) = caught.value.problems
    assert (problem.key, problem.text) == ("options", "holds 101 options; two_handed has 13")


def test_many_long_problems_are_no_burden(folder: Path) -> None:
    """Each wrong value lies below a key of half a megabyte."""
    raw = b"? " + b"x" * 400_000 + b"\n: 1\nbots:\n"
    raw += b"- {params: {? " + b"y" * 400_000 + b"\n    : [" + b"010," * 20_000 + b"]}}\n"
    Path("bad.yaml").write_bytes(raw)
    text = said("bad.yaml")
    assert text.endswith(" errors in bad.yaml; the first 50 are shown")
    assert len(text) < 50_000


def test_a_glob_that_matches_half_a_disk_is_not_walked_to_its_end(tmp_path: Path) -> None:
    (tmp_path / "many").mkdir()
    for number in range(1_001):
        (tmp_path / f"many/{number}.py").touch()
    config = tmp_path / "c.yaml"
    config.write_text('bots: ["many/*.py"]')
    with pytest.raises(ConfigError) as caught:
        load_config(config)
    assert "1:8: bots[0]: matches more than 1000 names; say more narrowly which" in str(
        caught.value
    )
