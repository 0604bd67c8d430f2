"""Damage of a results file is said by every command, and none makes it worse.

Through the real commands; tests/store has the cases one by one.
"""

from __future__ import annotations

import gc
import os
import random
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from arena.cli import main
from tests.soak.playground import (
    LONG,
    SHORT,
    Done,
    Outcome,
    Playground,
    playground,
    wait_until,
)

COMMANDS = ("rankings", "export", "tournament")
_ALLOWED = {0, 1, 2, 4}
"""Nothing was noticed, for SQLite has no checksums; a record breaks the rules; the conditions are
not the config's any more; damage. But never an internal error."""


@pytest.fixture(scope="module")
def played() -> Iterator[Playground]:
    """A tournament that is over."""
    with playground() as ground:
        ground.configure(SHORT)
        assert ground.run("tournament").code == 1  # a bot is withdrawn
        ground.remove_logs()
        yield ground


@pytest.fixture(scope="module")
def whole(played: Playground) -> bytes:
    """Its file as it was."""
    return played.file.read_bytes()


@pytest.fixture
def ground(played: Playground, whole: bytes, monkeypatch: pytest.MonkeyPatch) -> Playground:
    """The same tournament with its file made whole again."""
    monkeypatch.setenv("TMPDIR", str(played.temporary))
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    shutil.rmtree(played.file, ignore_errors=True)
    played.remove_logs()
    played.file.write_bytes(whole)
    return played


def call(capture: pytest.CaptureFixture[str], command: str, ground: Playground) -> Done:
    """Run a command in this process."""
    capture.readouterr()
    with pytest.raises(SystemExit) as end:
        main([command, str(ground.config)])
    out, err = capture.readouterr()
    code = end.value.code
    assert isinstance(code, int)
    if code:  # what was half read is let go, as at the end of a process; else it writes later
        del end
        gc.collect()
    return Done(code, out, err)


def cut(raw: bytearray, dice: random.Random) -> None:
    del raw[dice.randrange(len(raw)) :]


def flip_anywhere(raw: bytearray, dice: random.Random) -> None:
    for _ in range(dice.randint(1, 20)):
        raw[dice.randrange(len(raw))] ^= 1 << dice.randrange(8)


def flip_in_header(raw: bytearray, dice: random.Random) -> None:
    for _ in range(dice.randint(1, 3)):
        raw[dice.randrange(100)] ^= 1 << dice.randrange(8)


def blank(raw: bytearray, dice: random.Random) -> None:
    begin, length = dice.randrange(len(raw)), dice.randint(1, 5000)
    raw[begin : begin + length] = bytes(len(raw[begin : begin + length]))


def scramble(raw: bytearray, dice: random.Random) -> None:
    begin, length = dice.randrange(len(raw)), dice.randint(1, 5000)
    raw[begin : begin + length] = dice.randbytes(len(raw[begin : begin + length]))


def lose(raw: bytearray, dice: random.Random) -> None:
    raw.clear()


DAMAGES: tuple[Callable[[bytearray, random.Random], None], ...] = (
    cut,
    flip_anywhere,
    flip_in_header,
    blank,
    scramble,
)


def wrong(
    ground: Playground, whole: bytes, seed: str, capture: pytest.CaptureFixture[str]
) -> Iterator[str]:
    """Damage the file as drawn from `seed`; yield what a command does that it should not."""
    dice = random.Random(seed)
    raw = bytearray(whole)
    damage = dice.choice(DAMAGES)
    damage(raw, dice)
    for command in COMMANDS:
        ground.remove_logs()
        ground.file.write_bytes(raw)
        done = call(capture, command, ground)
        is_named = done.code != 4 or str(ground.file) in done.err
        is_in_time = bool(done.code) and "cards committed" not in done.err  # before it was written
        is_untouched = not is_in_time or ground.file.read_bytes() == raw
        allowed = {4} if damage is cut else _ALLOWED
        if done.code not in allowed or "Traceback" in done.err or not (is_named and is_untouched):
            yield f"{seed} {damage.__name__} {command} {is_untouched=} {done}"


@pytest.mark.parametrize("number", range(8))
def test_damage_is_said_and_left_alone(
    ground: Playground, whole: bytes, number: int, capfd: pytest.CaptureFixture[str]
) -> None:
    assert list(wrong(ground, whole, f"short/{number}", capfd)) == []


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_damage_of_all_kinds(
    ground: Playground, whole: bytes, capfd: pytest.CaptureFixture[str]
) -> None:
    numbers = range(2_000)
    assert [one for n in numbers for one in wrong(ground, whole, f"long/{n}", capfd)] == []


def spoil_with_sql(*statements: str) -> Callable[[Playground], None]:
    def spoil(ground: Playground) -> None:
        with closing(sqlite3.connect(ground.file)) as file, file:
            for statement in statements:
                file.execute(statement)

    return spoil


def files_of(ground: Playground) -> list[tuple[str, int]]:
    files = ground.results.glob("results.sqlite*")
    return sorted((path.name, path.stat().st_size) for path in files)


def put_a_folder_in_its_place(ground: Playground) -> None:
    ground.file.unlink()
    ground.file.mkdir()


@pytest.mark.parametrize(
    ("spoil", "text"),
    [
        (lambda ground: os.truncate(ground.file, 0), "not a whole SQLite file"),
        (lambda ground: ground.file.write_text("my notes\n" * 99), "not a whole SQLite file"),
        (put_a_folder_in_its_place, "Is a directory"),
        (spoil_with_sql("PRAGMA user_version = 99"), "written by a newer arena"),
        (spoil_with_sql("PRAGMA application_id = 7"), "made by another program"),
        (spoil_with_sql("DROP TABLE plays", "DROP TABLE games"), "no such table: games"),
    ],
)
def test_each_command_says_what_is_wrong_with_the_file(
    ground: Playground,
    capfd: pytest.CaptureFixture[str],
    spoil: Callable[[Playground], object],
    text: str,
) -> None:
    spoil(ground)
    before = files_of(ground)
    for command in COMMANDS:
        done = call(capfd, command, ground)
        assert done.code == 4
        assert f"error: {ground.file}" in done.err
        assert text in done.err
        ground.remove_logs()
        assert files_of(ground) == before


def make_a_link(path: Path) -> None:
    path.symlink_to("/etc/passwd")


@pytest.mark.parametrize("in_its_place", [Path.mkdir, make_a_link])
def test_a_lock_that_cannot_be_had(
    ground: Playground,
    capfd: pytest.CaptureFixture[str],
    in_its_place: Callable[[Path], object],
) -> None:
    lock = ground.results / "results.lock"
    lock.unlink(missing_ok=True)
    in_its_place(lock)
    try:
        done = call(capfd, "tournament", ground)
        assert done.code == 4
        assert done.err.startswith(f"error: {ground.results}: ")
        assert call(capfd, "export", ground).code == 0
    finally:
        lock.rmdir() if lock.is_dir() else lock.unlink()


def test_a_file_without_its_games_is_not_made_anew(
    ground: Playground, capfd: pytest.CaptureFixture[str]
) -> None:
    ground.file.rename(ground.log)
    done = call(capfd, "tournament", ground)
    assert done.code == 4
    assert "the file is gone but its -wal is still there" in done.err
    assert call(capfd, "export", ground).code == 2
    assert not ground.file.exists()


def test_results_that_are_moved_away_during_a_run_end_it() -> None:
    with playground() as ground:
        ground.configure(LONG)
        run = ground.start("tournament")
        assert wait_until(ground.stored)
        ground.results.rename(ground.folder / "away")
        done = ground.end(run)
        assert done.code == 4
        assert f"error: {ground.results}" in done.err  # its file has gone, or its snapshots
        assert "withdrawn" not in done.err
        assert not ground.processes()
        assert not ground.file.exists()
        shutil.rmtree(ground.results, ignore_errors=True)
        (ground.folder / "away").rename(ground.results)
        assert ground.rows()
        assert list(ground.faults()) == []


# a log that a kill left


@dataclass(frozen=True)
class Killed:
    """A tournament that was killed when games were in the log."""

    ground: Playground
    file: bytes
    log: bytes
    outcome: Outcome
    """What it comes to when it is played on."""

    def wrong(self, seed: str) -> Iterator[str]:
        """Spoil the log as drawn from `seed` and play on; yield what is wrong then."""
        dice = random.Random(seed)
        log = bytearray(self.log)
        dice.choice((*DAMAGES, lose))(log, dice)
        self.ground.remove_logs()
        self.ground.file.write_bytes(self.file)
        self.ground.log.write_bytes(log)
        done = self.ground.run("tournament")
        if done.code != 1 or "Traceback" in done.err:  # 1: a bot is withdrawn
            yield f"{seed}: {done}"
        elif self.ground.outcome() != self.outcome:
            yield f"{seed}: the outcome differs"
        yield from self.ground.faults()


@pytest.fixture(scope="module")
def killed() -> Iterator[Killed]:
    with playground() as ground:
        ground.configure(SHORT)
        run = ground.start("tournament")
        assert wait_until(ground.stored)
        run.kill()
        ground.end(run)
        file, log = ground.file.read_bytes(), ground.log.read_bytes()
        assert log
        assert ground.run("tournament").code == 1
        yield Killed(ground, file, log, ground.outcome())


@pytest.mark.parametrize("number", range(2))
def test_of_a_damaged_log_what_is_whole_counts(killed: Killed, number: int) -> None:
    assert list(killed.wrong(f"short/{number}")) == []


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_of_many_damaged_logs_what_is_whole_counts(killed: Killed) -> None:
    assert [one for n in range(60) for one in killed.wrong(f"long/{n}")] == []
