"""Every bad bot in tests/hostile against a healthy one, in real processes, at each level.

What is expected stands at the top of each bot, a line each:

    forfeits: 2=crash             the game that is lost, and how; `any` or `all` games; `none`
    given up: exited 1            it cannot be started, and this is said of it
    detail: killed by SIGSEGV     begins what is said of the fault
    got: KeyError                 is in what came instead
    log: bytes cut                is in its log
    starts: 1                     how many processes it had
    games: 12                     other than five
    limits: move_ms=700           other limits than the most patient ones
    levels: none sandbox          where it is played, if what becomes of it may depend on that;
                                  else at `process`, and now and then at another

Each may say where it holds: `forfeits at 4 tables`, `log at sandbox`, `log at process as root`,
`levels as user`. The one that says most of what applies counts.
"""

from __future__ import annotations

import ast
import contextlib
import re
import resource
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import pytest
from jobs import HOSTILE, PATIENT, ROOT, bot, by_board, forfeits, job, timeless
from processes import marked
from workers import played, submit

from arena.errors import SurroundingsError
from arena.referee.record import Forfeit
from arena.runtime.executor import Job, JobResult, Limits, LocalExecutor
from arena.runtime.isolation import isolation
from arena.runtime.isolation.levels import LEVELS
from arena.runtime.isolation.users import can_be_others
from arena.runtime.worker import run_job

BOTS = sorted(path for path in HOSTILE.glob("*.py") if path.name != "raw.py")
GAMES = 5
LONGEST_TEXT = 10_000
"""Of a thousand letters each may be written in ten, such as ``\\U0001f468``."""
TRIES = 4
"""How often a job is played at most, until the machine no longer held up the arena meanwhile."""
USER = "root" if can_be_others() else "user"
KNOWN = {
    *("forfeits", "given up", "detail", "got", "log", "starts"),
    *("games", "limits", "levels"),
}


@dataclass(frozen=True)
class Way:
    """One way of playing a bot; a healthy one has the other seat."""

    level: str
    tables: int = 1

    @property
    def seat(self) -> int:
        return 0 if self.tables == 1 else 1

    @property
    def words(self) -> set[str]:
        return {self.level, f"{self.tables} table{'' if self.tables == 1 else 's'}", USER}


@dataclass(frozen=True)
class Expected:
    """The header of a hostile bot."""

    said: dict[str, str]

    @classmethod
    def of(cls, path: Path) -> Expected:
        said = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
        return cls(dict(re.findall(r"^([a-z0-9 ]+): (.*)$", said, re.MULTILINE)))

    def get(self, wanted: str, words: set[str]) -> str:
        """Return what is said of something, if `words` apply; empty if nothing is."""
        found = []
        for key, value in self.said.items():
            name, *needed = re.split(" at | as ", key)
            if name == wanted and words.issuperset(needed):
                found.append((len(needed), value))
        return max(found, default=(0, ""))[1]

    @property
    def limits(self) -> Limits:
        changes = re.findall(r"(\w+)=(\d+)", self.said.get("limits", ""))
        return msgspec.structs.replace(PATIENT, **{name: int(value) for name, value in changes})

    @property
    def games(self) -> int:
        return int(self.said.get("games", GAMES))

    @property
    def levels(self) -> list[str]:
        """Where it is to be played; empty if its verdict is the same everywhere."""
        return self.get("levels", {USER}).split()

    def forfeits(self, way: Way, lost: str) -> str:
        """Return the expected forfeits; where any game may pay, the one of those that did."""
        said = self.get("forfeits", way.words)
        if said.startswith("all="):
            return " ".join(f"{game}={said[4:]}" for game in range(self.games))
        return said.replace("any=", f"{lost.partition('=')[0]}=")


@pytest.fixture(scope="module")
def bots() -> Iterator[Path]:
    """Return copies of the bots that all users can read, and that may be spoiled."""
    folder = Path(tempfile.mkdtemp(prefix="b-", dir="/tmp"))
    folder.chmod(0o755)
    for path in (*BOTS, HOSTILE / "raw.py"):
        shutil.copy(path, folder)
    names = sorted(path.name for path in folder.iterdir())
    yield folder
    left = sorted(path.name for path in folder.iterdir())
    shutil.rmtree(folder)
    assert left == names, "a bot has changed the bots"


@pytest.fixture
def memory() -> Iterator[Path]:
    """Return where the processes of a bot, whatever their user, can leave word for the next."""
    folder = Path(tempfile.mkdtemp(prefix="m-", dir="/tmp"))
    folder.chmod(0o777)
    yield folder / "memory"
    shutil.rmtree(folder)


@dataclass
class Played:
    result: JobResult
    hostile: int
    """Its seat."""
    log: str


class Pit:
    """Where bad bots play healthy ones."""

    def __init__(self, bots: Path, memory: Path, mark: str, logs: Path) -> None:
        self._bots = bots
        self._memory = memory
        self._mark = mark
        self._logs = logs

    def play(self, path: Path, way: Way) -> Played:
        """Play once more, from nothing, if games are void as the arena was late."""
        tried = [self._play(path, way, self._logs / "0")]
        while len(tried) < TRIES and any(v.cause == "arena_stall" for v in tried[-1].result.voids):
            self._memory.unlink(missing_ok=True)
            tried.append(self._play(path, way, self._logs / str(len(tried))))
        return tried[-1]

    def _play(self, path: Path, way: Way, logs: Path) -> Played:
        expected = Expected.of(path)
        memory = {"HOSTILE_MEMORY": str(self._memory)}
        mark = self._mark
        bad = bot("bad@1", self._bots / path.name, mark=mark, limits=expected.limits, env=memory)
        good = bot("good@1", mark=mark)
        both = (bad, good) if way.seat == 0 else (good, bad)
        wanted = job(both, expected.games, tables=way.tables, logs=logs)
        result = run_job(msgspec.structs.replace(wanted, isolation=way.level))
        assert not marked(mark), "a process is left"
        assert not named(mark), "a process is left that had run away"
        log = logs / "bad.stderr.log"
        text = log.read_text("utf-8") if log.exists() else ""
        assert re.sub(r"[\n\t]", "", text).isprintable()
        return Played(result, way.seat, text)


@pytest.fixture
def pit(bots: Path, memory: Path, mark: str, tmp_path: Path, private_folders: Path) -> Pit:
    return Pit(bots, memory, mark, tmp_path / "logs")


def named(mark: str) -> list[int]:
    """Return all processes that have a mark in their command line."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if mark.encode() in (folder / "cmdline").read_bytes():
                found.append(int(folder.name))
    return found


@pytest.mark.parametrize("path", BOTS, ids=lambda path: path.stem)
def test_every_bad_bot_says_what_is_expected_of_it(path: Path) -> None:
    said = Expected.of(path).said
    assert {re.split(" at | as ", key)[0] for key in said} <= KNOWN
    assert ("given up" in said) != any(key.startswith("forfeits") for key in said)


# which are played where


def is_had(level: str) -> bool:
    try:
        isolation(level)
    except SurroundingsError:
        return False
    return True


MANY = {"2=malformed", "2=crash", "none"}
STARTS = [path for path in BOTS if "given up" not in Expected.of(path).said]
CANNOT_START = [path for path in BOTS if path not in STARTS]


def a_few_ways(path: Path, number: int) -> list[Way]:
    """Choose how a bot is played in the short run.

    On seat 0 of one table and on seat 1 of four; of the many that end in the same way, half go one
    way and half the other, and those that wait go the one that is sooner over. Where the level does
    not matter the default is always seen, and the others in turn; `none`, which protects from
    nothing, only where a bot names no other.
    """
    expected = Expected.of(path)
    seats = (1, 4) if number % 2 else (4, 1)
    if expected.levels:
        levels = [one for one in expected.levels if one != "none"] or list(expected.levels)
        return [Way(level, seats[n % 2]) for n, level in enumerate(levels)]
    if expected.said.get("forfeits") == "2=timeout":
        return [Way("process", 1)]
    if expected.said.get("forfeits") in MANY or "games" in expected.said:
        return [Way("process", seats[0])]
    return [Way("process", 1), Way(LEVELS[number % 3], 4)]


def every_way(path: Path, number: int) -> list[Way]:
    return [Way(level, tables) for level in Expected.of(path).levels or LEVELS for tables in (1, 4)]


def parameters(*, thorough: bool) -> Iterator[Any]:
    choose = every_way if thorough else a_few_ways
    for number, path in enumerate(STARTS):
        for way in choose(path, number):
            skip = pytest.mark.skipif(not is_had(way.level), reason=f"no {way.level} here")
            yield pytest.param(path, way, id=f"{path.stem}-{way.level}-{way.tables}", marks=skip)


# what becomes of them


@pytest.mark.parametrize(("path", "way"), list(parameters(thorough=False)))
def test_a_bad_bot_loses_the_games_it_spoils_and_no_other(path: Path, way: Way, pit: Pit) -> None:
    check_games(path, way, pit)


@pytest.mark.soak
@pytest.mark.parametrize(("path", "way"), list(parameters(thorough=True)))
def test_a_bad_bot_fares_as_expected_in_every_way(path: Path, way: Way, pit: Pit) -> None:
    check_games(path, way, pit)


def check_games(path: Path, way: Way, pit: Pit) -> None:
    expected = Expected.of(path)
    played = pit.play(path, way)
    assert played.result.start_faults == ()
    assert played.result.voids == ()
    assert by_board(played.result).keys() == set(range(expected.games)), "every game is played"
    lost = forfeits(played.result)
    assert shown(lost) == expected.forfeits(way, shown(lost))
    for end in lost.values():
        check_fault(end, played, expected, way)
    assert expected.get("log", way.words) in played.log
    starts = played.log.count("a process begins")
    assert starts == int(expected.said.get("starts", starts))


def shown(lost: dict[int, Forfeit]) -> str:
    return " ".join(f"{board}={end.fault}" for board, end in sorted(lost.items())) or "none"


def check_fault(end: Forfeit, played: Played, expected: Expected, way: Way) -> None:
    assert end.seat == played.hostile, "the healthy bot is at fault"
    assert end.detail.startswith(expected.get("detail", way.words))
    assert expected.get("got", way.words) in end.got
    for text in (end.detail, re.sub(r"[\n\t]", "", end.got)):
        assert text.isprintable()
        assert len(text) <= LONGEST_TEXT


def starts() -> Iterator[Any]:
    for number, path in enumerate(CANNOT_START):
        for level in sorted({"process", LEVELS[number % 3]}):
            skip = pytest.mark.skipif(not is_had(level), reason=f"no {level} here")
            yield pytest.param(path, Way(level), id=f"{path.stem}-{level}", marks=skip)


@pytest.mark.parametrize(("path", "way"), list(starts()))
def test_a_bot_that_cannot_be_started_loses_a_game_each_time_then_is_given_up(
    path: Path, way: Way, pit: Pit
) -> None:
    expected = Expected.of(path)
    played = pit.play(path, way)
    lost = forfeits(played.result)
    assert shown(lost) == "0=no_start 1=no_start 2=no_start"
    assert by_board(played.result).keys() == lost.keys(), "no game was played without it"
    assert (played.result.start_faults, played.result.voids) == ((), ())
    for end in lost.values():
        assert (end.seat, end.detail) == (0, expected.said["given up"])
        check_fault(end, played, expected, way)


def test_a_job_without_games_names_a_bot_that_does_not_start_at_its_first_try(
    mark: str, memory: Path
) -> None:
    bad = bot("bad@1", HOSTILE / "exits_before_hello_once.py", mark=mark)
    bad = msgspec.structs.replace(bad, env=bad.env | {"HOSTILE_MEMORY": str(memory)})
    only: Job = job([bad], 0)
    (given_up,) = run_job(only).start_faults
    assert (given_up.version, given_up.detail) == ("bad@1", "exited 3 before hello")
    assert run_job(only).start_faults == (), "the second time it starts"


def test_no_bot_takes_the_files_of_its_worker(bots: Path, mark: str, private_folders: Path) -> None:
    files = resource.getrlimit(resource.RLIMIT_NOFILE)
    path = bots / "two_thousand_silent_connections.py"
    limits = msgspec.structs.replace(PATIENT, move_ms=3000)
    only = job((bot("bad@1", path, mark=mark, limits=limits), bot("good@1", mark=mark)), 5)
    executor = LocalExecutor(1)
    resource.setrlimit(resource.RLIMIT_NOFILE, (1024, files[1]))
    try:
        lost = forfeits(played(submit(executor, only)))
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, files)
        executor.kill()
        executor.shutdown()
    assert shown(lost) == "2=flood"


def test_the_same_bot_in_two_jobs_at_once_mixes_nothing_up(mark: str, tmp_path: Path) -> None:
    same = bot("same@1", mark=mark)
    jobs = [
        job((same, bot("other@1", mark=mark)), 4, logs=tmp_path / "a"),
        job((bot("other@1", mark=mark), same), 6, tables=4, logs=tmp_path / "b"),
    ]
    alone = [timeless(by_board(run_job(one))) for one in jobs]
    both = LocalExecutor(2)
    try:
        futures = [submit(both, one) for one in jobs]
        assert [timeless(by_board(played(one))) for one in futures] == alone
    finally:
        both.shutdown()


def test_what_the_page_says_is_shown() -> None:
    """Each of its words selects a test, and no bad bot is left out."""
    page = (ROOT / "tests/README.md").read_text("utf-8").partition("## What bad bots get")[2]
    rows = [line.split("|") for line in page.partition("\n## ")[0].splitlines() if "|" in line]
    words = {word for row in rows for word in re.findall("`([a-z0-9_]+)`", row[3])}
    sources = [path.read_text("utf-8") for path in Path(__file__).parent.glob("test_*.py")]
    tests = {name for source in sources for name in re.findall(r"def (test_\w+)", source)}
    shown_by = {path.stem for path in BOTS} | tests | {"test_fuzz_link.py"}
    assert not [word for word in words if not any(word in name for name in shown_by)]
    assert not [path.stem for path in BOTS if not any(word in path.stem for word in words)]
