"""A tournament in a folder of its own, played by the real command, and what it left behind.

Helpers only. The tournament is small and quick, and every bot is a function of (bot_seed, the
decision), so however it is played its export and its rankings are the same to the byte.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import ChainMap
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
LEVELS = ("none", "process", *(("sandbox",) if shutil.which("bwrap") else ()))
"""Of isolation: those that can be had here."""
WAYWARD = Path(__file__).with_name("bots") / "wayward.py"
PATIENCE_S = 120.0
"""Far more than a whole run takes; who waits so long has found a fault."""
NONE_LEFT_S = 5.0
"""So long after a kill there may still be processes (faults, 5)."""
_LOOK_S = 0.001

_DICE = {"name": "dice", "path": str(ROOT / "bots" / "random_bot.py")}
_FIRST = {"name": "first", "path": str(ROOT / "bots" / "legal_first.py")}
_KEYS = {
    "seed": 11,
    "options": {"target_score": 2},
    "limits": {"move": "60s", "game": None, "start": "60s"},
}
"""No limit that a busy machine could make a bot miss: no fault here comes from slowness."""


_OF_ONE_GAME = ("illegal", "fail")
"""Misdeeds that are answers to their decisions; others spoil a whole frame."""
_ALL_WAYS = (*_OF_ONE_GAME, "exit", "signal", "no_json", "missing", "wrong_type")


def _wayward(name: str, share: int, ways: tuple[str, ...] = _ALL_WAYS) -> dict[str, object]:
    return {"name": name, "path": str(WAYWARD), "params": {"share": share, "ways": ways}}


LONG: Mapping[str, Any] = {
    **_KEYS,
    "boards": 25,
    "bots": [_DICE, _FIRST, _wayward("wayward", 6), _wayward("worse", 40)],
}
"""300 games; with the usual `withdraw_after` one of the bots is withdrawn on the way."""
SHORT: Mapping[str, Any] = {
    **_KEYS,
    "boards": 4,
    "bots": [_DICE, _FIRST, _wayward("worse", 60)],
    "faults": {"withdraw_after": 4},
}
"""24 games of the same kind."""
OF_ONE_GAME: Mapping[str, Any] = {
    "bots": [_DICE, _FIRST, _wayward("worse", 20, _OF_ONE_GAME)],
    "faults": {"withdraw_after": None},
}
"""Changes of the two: every fault concerns one decision, and no bot is withdrawn for its own."""


@dataclass(frozen=True)
class Done:
    """How a command ended."""

    code: int
    out: str
    err: str


@dataclass(frozen=True)
class Outcome:
    """All that must be the same however a tournament was played."""

    export: bytes
    rankings: dict[str, Any]
    """Without what was measured."""


@dataclass(frozen=True)
class Playground:
    """One tournament: `folder` is its own, and holds the folder for temporary files too."""

    folder: Path

    @property
    def config(self) -> Path:
        return self.folder / "tour.yaml"

    @property
    def results(self) -> Path:
        return self.folder / "results" / "tour"

    @property
    def file(self) -> Path:
        return self.results / "results.sqlite"

    @property
    def log(self) -> Path:
        """SQLite's write-ahead log."""
        return self.results / "results.sqlite-wal"

    @property
    def temporary(self) -> Path:
        """Where private folders of jobs are made; a short path, as sockets need it."""
        return self.folder / "t"

    def configure(self, *keys: Mapping[str, Any]) -> None:
        """Write the config; later keys replace earlier ones."""
        self.temporary.mkdir(exist_ok=True)
        self.config.write_text(json.dumps(dict(ChainMap(*map(dict, reversed(keys))))))

    # its commands

    def start(self, *words: str) -> subprocess.Popen[bytes]:
        """Begin a command; what it prints goes to files, so that it never waits for a reader."""
        environment = {key: os.environ[key] for key in os.environ if key != "XDG_RUNTIME_DIR"}
        with (self.folder / "out").open("wb") as out, (self.folder / "err").open("wb") as err:
            return subprocess.Popen(
                [sys.executable, "-m", "arena", *words, str(self.config)],
                cwd=ROOT,
                env={**environment, "TMPDIR": str(self.temporary)},
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                start_new_session=True,
            )

    def end(self, process: subprocess.Popen[bytes], patience_s: float = PATIENCE_S) -> Done:
        """Wait for the end of the command that was started last."""
        code = process.wait(patience_s)
        out, err = ((self.folder / name).read_text("utf-8", "replace") for name in ("out", "err"))
        return Done(code, out, err)

    def run(self, *words: str, patience_s: float = PATIENCE_S) -> Done:
        """Run a command to its end."""
        return self.end(self.start(*words), patience_s)

    def outcome(self) -> Outcome:
        """Export and rank what is stored; both must work."""
        export, rankings = self.run("export"), self.run("rankings", "--json")
        if export.code or rankings.code:
            raise AssertionError(f"{export.err}{rankings.err}")
        table = json.loads(rankings.out)
        for bot in table["bots"]:
            del bot["ms_per_decision"], bot["cpu_ms_per_decision"]
        del table["lag_ms"]
        return Outcome(export.out.encode(), table)

    def is_complete(self) -> bool:
        """Whether every game of the schedule is settled."""
        done = self.run("export")
        return not done.code and bool(json.loads(done.out.splitlines()[-1])["complete"])

    # its store

    def rows(self) -> list[str]:
        """Every stored game with all that is kept of it; only the same run has the same times.

        It is a copy that is read, so that SQLite's own mending after a kill is left to the arena.
        """
        sql = (
            "SELECT versions, games.*, actions, times_us, notes"
            " FROM games JOIN plays USING (match, board, seating) JOIN matches ON id = match"
            " ORDER BY versions, board, seating"
        )
        if not self.file.exists():
            return []
        with tempfile.TemporaryDirectory() as copy:
            for path in self.results.glob(f"{self.file.name}*"):
                if path.suffix != ".sqlite-shm":
                    shutil.copy(path, copy)
            with closing(sqlite3.connect(Path(copy) / self.file.name)) as connection:
                return [repr(row) for row in connection.execute(sql)]

    def stored(self) -> int:
        """Count the stored games; 0 while there is no file."""
        try:
            ((games,),) = self.query("SELECT count(*) FROM games")
        except sqlite3.OperationalError:
            return 0
        return int(games)

    def query(self, sql: str) -> list[tuple[Any, ...]]:
        """Ask the results file without changing anything about it, also in the middle of a run."""
        with closing(sqlite3.connect(f"{self.file.as_uri()}?mode=ro", uri=True)) as connection:
            return connection.execute(sql).fetchall()

    def remove_logs(self) -> None:
        """Remove what SQLite put beside the file, which is closed."""
        for path in self.results.glob(f"{self.file.name}-*"):
            path.unlink()

    # what it left

    def processes(self) -> list[int]:
        """Find all living processes of this tournament: its commands, its workers, its bots.

        Each has the folder in its environment (TMPDIR, ARENA_ENDPOINT) or in its command line.
        """
        mark = os.fsencode(self.folder) + b"/"
        found = []
        for entry in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                words = (entry / "environ").read_bytes() + (entry / "cmdline").read_bytes()
                if mark in words and int(entry.name) != os.getpid():
                    found.append(int(entry.name))
        return found

    def described(self) -> list[str]:
        """Say what is living of this tournament."""
        found = []
        for pid in self.processes():
            with contextlib.suppress(OSError):
                words = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ")
                found.append(f"{pid}: {os.fsdecode(words)}")
        return found

    def faults(self) -> Iterator[str]:
        """Say what is wrong about what a finished tournament left behind."""
        if not wait_until(lambda: not self.processes(), patience_s=NONE_LEFT_S):
            yield f"processes are left: {self.processes()}"
        if left := sorted(str(path) for path in self.temporary.rglob("*")):
            yield f"temporary files are left: {left}"
        if half := sorted(path.name for path in self.results.glob("snapshots/.*")):
            yield f"half snapshots are left: {half}"
        if (found := self.query("PRAGMA integrity_check")) != [("ok",)]:
            yield f"integrity_check says {found}"
        games, plays = self.query("SELECT * FROM games"), self.query("SELECT * FROM plays")
        if len({row[:3] for row in games}) != len(games) or len(games) != len(plays):
            yield f"{len(games)} games, {len(plays)} plays: some twice or half"


def wait_until(condition: Callable[[], object], *, patience_s: float = PATIENCE_S) -> bool:
    """Wait until something is so; False if it did not become so."""
    end_s = time.monotonic() + patience_s
    while not condition():
        if time.monotonic() > end_s:
            return False
        time.sleep(_LOOK_S)
    return True


@contextmanager
def playground(*, keep_if_failed: bool = False) -> Iterator[Playground]:
    """Make an empty one; it is removed at the end, and so is whatever is left of its processes."""
    ground = Playground(Path(tempfile.mkdtemp(prefix="soak-")))
    try:
        yield ground
    except BaseException:
        _clear(ground, keep=keep_if_failed)
        raise
    _clear(ground, keep=False)


def _clear(ground: Playground, *, keep: bool) -> None:
    for pid in ground.processes():
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, 9)
    if keep:
        return
    for folder in (ground.results / "snapshots").glob("*"):
        folder.chmod(0o755)  # snapshots are read-only
    shutil.rmtree(ground.folder)
