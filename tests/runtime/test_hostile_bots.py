"""Every bad bot in tests/hostile against a healthy one, in real processes.

What is expected stands at the top of each bot, a line each:

    forfeits: 2=crash             the game that is lost, and how; `any` game; `none`
    forfeits at 4 tables: none    where it depends on the number of tables
    given up: exited 1            it cannot be started, and this is said of it
    detail: killed by SIGSEGV     begins what is said of the fault
    got: KeyError                 is in what came instead
    log: bytes cut                is in its log
    starts: 1                     how many processes it had
    limits: move_ms=700           other limits than the most patient ones
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import pytest
from jobs import HOSTILE, PATIENT, bot, by_board, forfeits, job
from processes import marked

from arena.referee.record import Forfeit
from arena.runtime.executor import Job, JobResult, Limits
from arena.runtime.worker import run_job

BOTS = sorted(path for path in HOSTILE.glob("*.py") if path.name != "raw.py")
GAMES = 5


@dataclass(frozen=True)
class Expected:
    """The header of a hostile bot."""

    said: dict[str, str]

    @classmethod
    def of(cls, path: Path) -> Expected:
        said = ast.get_docstring(ast.parse(path.read_text())) or ""
        return cls(dict(re.findall(r"^([a-z0-9 ]+): (.*)$", said, re.MULTILINE)))

    @property
    def limits(self) -> Limits:
        changes = re.findall(r"(\w+)=(\d+)", self.said.get("limits", ""))
        return msgspec.structs.replace(PATIENT, **{name: int(value) for name, value in changes})

    def forfeits(self, tables: int) -> str:
        here = f"forfeits at {tables} table{'' if tables == 1 else 's'}"
        return self.said.get(here) or self.said["forfeits"]


@dataclass
class Played:
    result: JobResult
    hostile: int
    """Its seat."""
    log: str


def play(path: Path, hostile: int, tables: int, mark: str, tmp_path: Path) -> Played:
    memory = {"HOSTILE_MEMORY": str(tmp_path / "memory")}
    bad = bot("bad@1", path, mark=mark, limits=Expected.of(path).limits, env=memory)
    good = bot("good@1", mark=mark)
    bots = (bad, good) if hostile == 0 else (good, bad)
    result = run_job(job(bots, GAMES, tables=tables, logs=tmp_path / "logs"))
    assert not marked(mark), "a process is left"
    log = tmp_path / "logs/bad.stderr.log"
    return Played(result, hostile, log.read_text() if log.exists() else "")


@pytest.mark.parametrize("path", BOTS, ids=lambda path: path.stem)
def test_every_bad_bot_says_what_is_expected_of_it(path: Path) -> None:
    said = Expected.of(path).said
    known = {"given up", "detail", "got", "log", "starts", "limits"}
    assert all(key in known or key.startswith("forfeits") for key in said)
    assert ("given up" in said) != any(key.startswith("forfeits") for key in said)


CAN_START = [path for path in BOTS if "given up" not in Expected.of(path).said]
CANNOT_START = [path for path in BOTS if path not in CAN_START]


MANY = {"2=malformed", "2=timeout", "2=crash", "none"}


def runs() -> Iterator[Any]:
    """Play each bot on seat 0 of one table and on seat 1 of four.

    Of the many that end in the same way, half go one way and half the other.
    """
    ways = [(0, 1), (1, 4)]
    for number, path in enumerate(CAN_START):
        is_one_of_many = Expected.of(path).said.get("forfeits") in MANY
        for hostile, tables in ways[number % 2 : number % 2 + 1] if is_one_of_many else ways:
            yield pytest.param(path, hostile, tables, id=f"{path.stem}-{tables}")


@pytest.mark.usefixtures("private_folders")
@pytest.mark.parametrize(("path", "hostile", "tables"), list(runs()))
def test_a_bad_bot_loses_the_games_it_spoils_and_no_other(
    path: Path, hostile: int, tables: int, mark: str, tmp_path: Path
) -> None:
    expected = Expected.of(path)
    played = play(path, hostile, tables, mark, tmp_path)
    assert played.result.start_faults == ()
    assert played.result.voids == ()
    assert by_board(played.result).keys() == set(range(GAMES)), "every game is played"
    lost = forfeits(played.result)
    assert shown(lost) == expected.forfeits(tables).replace("any", shown(lost).partition("=")[0])
    for end in lost.values():
        check_fault(end, played, expected)
    assert expected.said.get("log", "") in played.log
    starts = played.log.count("a process begins")
    assert starts == int(expected.said.get("starts", starts))


def shown(lost: dict[int, Forfeit]) -> str:
    return " ".join(f"{board}={end.fault}" for board, end in sorted(lost.items())) or "none"


def check_fault(end: Forfeit, played: Played, expected: Expected) -> None:
    assert end.seat == played.hostile, "the healthy bot is at fault"
    assert end.detail.startswith(expected.said.get("detail", ""))
    assert expected.said.get("got", "") in end.got
    for text in (end.detail, end.got.replace("\n", "")):
        assert text.isprintable()
        assert len(text) <= 2000


@pytest.mark.usefixtures("private_folders")
@pytest.mark.parametrize("path", CANNOT_START, ids=lambda path: path.stem)
def test_a_bot_that_cannot_be_started_loses_a_game_each_time_then_is_given_up(
    path: Path, mark: str, tmp_path: Path
) -> None:
    expected = Expected.of(path)
    played = play(path, 1, 1, mark, tmp_path)
    lost = forfeits(played.result)
    assert shown(lost) == "0=no_start 1=no_start 2=no_start"
    assert by_board(played.result).keys() == lost.keys(), "no game was played without it"
    assert (played.result.start_faults, played.result.voids) == ((), ())
    for end in lost.values():
        assert (end.seat, end.detail) == (1, expected.said["given up"])
        assert expected.said.get("got", "") in end.got


def test_a_job_without_games_names_a_bot_that_does_not_start_at_its_first_try(
    mark: str, tmp_path: Path
) -> None:
    bad = bot("bad@1", HOSTILE / "exits_before_hello_once.py", mark=mark)
    bad = msgspec.structs.replace(bad, env=bad.env | {"HOSTILE_MEMORY": str(tmp_path / "memory")})
    only: Job = job([bad], 0)
    (given_up,) = run_job(only).start_faults
    assert (given_up.version, given_up.detail) == ("bad@1", "exited 3 before hello")
    assert run_job(only).start_faults == (), "the second time it starts"
