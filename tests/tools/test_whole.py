"""What is left when the disk is full: whatever was there before, and nothing else."""

from __future__ import annotations

import os
import resource
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from arena import templates
from arena.errors import SurroundingsError, UserError
from arena.referee.clock import Limits
from arena.tools import match, whole
from arena.tools.play import saved
from arena.tools.play.course import Course, Reply
from arena.tools.starting import init, new_bot

BOTS = Path(__file__).parents[2] / "bots"
PAIR = (str(BOTS / "rules_bot.py"), str(BOTS / "random_bot.py"))
FEW = {"boards": "5", "seed": "1"}
MORE = {**FEW, "boards": "10"}


@contextmanager
def full_disk(room: int = 0) -> Iterator[None]:
    """Let files be made, but none get longer than `room`: much as on a disk without more."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def content(folder: Path) -> dict[str, bytes | None]:
    """All that is in a folder; None for folders."""
    found = sorted(folder.rglob("*"))
    return {
        str(one.relative_to(folder)): one.read_bytes() if one.is_file() else None for one in found
    }


def game() -> saved.Saved:
    return saved.new(PAIR[0], None, None, seat=0, seed="abc", options={})


def finished() -> Course:
    course = game().course("rules_bot", Limits())
    while course.asked is not None:
        course.take(Reply(course.due.legal[0]))
    return course


def keep(folder: Path, keys: match.Keys = FEW) -> None:
    match.prepare(folder, PAIR, keys)


WRITES: dict[str, Callable[[Path], object]] = {
    "new-bot": lambda folder: new_bot("mine", folder, "minimal"),
    "new-bot --dir": lambda folder: new_bot("mine", folder / "deep" / "er", "starter"),
    "init": lambda folder: init(folder / "contest"),
    "init in a folder": init,
    "match --keep": lambda folder: keep(folder / "kept" / "match"),
    "play": lambda folder: saved.save(game(), folder / "game.play.json"),
    "play --record": lambda folder: saved.record(finished(), folder / "games.jsonl"),
}


@pytest.mark.parametrize("room", [0, 100])
@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_nothing_is_left_of_what_could_not_be_written(
    tmp_path: Path, write: Callable[[Path], object], room: int
) -> None:
    with full_disk(room), pytest.raises(SurroundingsError, match="File too large") as told:
        write(tmp_path)
    assert "Errno" not in str(told.value)
    assert content(tmp_path) == {}
    write(tmp_path)
    assert content(tmp_path)


def test_init_that_ends_half_way_leaves_nothing(tmp_path: Path) -> None:
    """The disk is full when some of the files are written."""
    sizes = sorted(len(text) for text in map(_template, templates.BOTS))
    assert sizes[0] < sizes[-1]
    with full_disk(sizes[-1] - 1), pytest.raises(SurroundingsError):
        init(tmp_path)
    assert content(tmp_path) == {}


def _template(name: str) -> bytes:
    return (Path(templates.__file__).parent / f"{name}.py").read_bytes()


REWRITES: dict[str, tuple[Callable[[Path], object], Callable[[Path], object]]] = {
    "match --keep": (keep, lambda folder: keep(folder, MORE)),
    "play": (WRITES["play"], WRITES["play"]),
    "play --record": (WRITES["play --record"], WRITES["play --record"]),
}


@pytest.mark.parametrize(("first", "again"), REWRITES.values(), ids=REWRITES)
def test_what_was_there_stays_as_it_was(
    tmp_path: Path, first: Callable[[Path], object], again: Callable[[Path], object]
) -> None:
    first(tmp_path)
    before = content(tmp_path)
    (size,) = (len(text) for text in before.values() if text is not None)
    for room in (0, size + 10 if first is WRITES["play --record"] else size - 10):
        with full_disk(room), pytest.raises(SurroundingsError):
            again(tmp_path)
        assert content(tmp_path) == before
    again(tmp_path)


def test_a_match_that_is_wrong_leaves_nothing_or_what_was_there(tmp_path: Path) -> None:
    with pytest.raises(UserError):
        keep(tmp_path / "new", {**FEW, "boards": "-1"})
    assert content(tmp_path) == {}
    keep(tmp_path)
    before = content(tmp_path)
    with pytest.raises(UserError):
        keep(tmp_path, {**FEW, "boards": "-1"})
    assert content(tmp_path) == before


def test_a_pipe_can_be_added_to() -> None:
    reader, writer = os.pipe()
    whole.append(Path(f"/dev/fd/{writer}"), b"a line\n")
    os.close(writer)
    with os.fdopen(reader, "rb") as got:
        assert got.read() == b"a line\n"
