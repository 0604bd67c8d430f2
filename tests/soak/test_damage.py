"""Damage of a results file is said by every command, and none makes it worse.

Through the real commands; tests/store has the cases one by one.
"""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Iterator

import pytest

from arena.cli import main
from tests.soak.playground import SHORT, Done, Playground, playground

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
    assert isinstance(end.value.code, int)
    return Done(end.value.code, out, err)


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


@pytest.mark.parametrize("number", range(25))
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
