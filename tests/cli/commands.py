"""Tournaments in folders of their own, and the command line on them. Helpers only, no test."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from arena.cli import main

BOTS = Path(__file__).parents[2] / "bots"
RANDOM_BOT = (BOTS / "random_bot.py").read_text()
PATIENCE_S = 60.0
"""Far more than anything here takes; only a failing test waits so long."""


@dataclass(frozen=True)
class Done:
    """How a command ended."""

    code: int
    out: str
    err: str


def cells(line: str) -> list[str]:
    """The columns of a line of a table, which are two blanks apart at least."""
    return re.split(" {2,}", line.strip())


def call(capture: pytest.CaptureFixture[str], *arguments: str | Path) -> Done:
    """Run a command in this process: quicker than `arena`, and warnings are errors."""
    capture.readouterr()
    with pytest.raises(SystemExit) as end:
        main([str(argument) for argument in arguments])
    out, err = capture.readouterr()
    assert isinstance(end.value.code, int)
    return Done(end.value.code, out, err)


def arena(*arguments: str | Path, folder: Path, env: Mapping[str, str] | None = None) -> Done:
    """Run a command as a program of its own."""
    ended = subprocess.run(
        _words(arguments),
        cwd=folder,
        env={**os.environ, **(env or {})},
        capture_output=True,
        text=True,
        timeout=2 * PATIENCE_S,
        check=False,
    )
    return Done(ended.returncode, ended.stdout, ended.stderr)


@contextmanager
def running(*arguments: str | Path, folder: Path) -> Iterator[subprocess.Popen[str]]:
    """A command that has begun; it is killed at the end, and what it does not take with it too."""
    process = subprocess.Popen(
        _words(arguments),
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    with process:
        try:
            yield process
        finally:
            process.kill()
            process.wait()
            wait_until(lambda: not processes_in(folder), patience_s=5)
            for pid in processes_in(folder):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)


def end_of(process: subprocess.Popen[str]) -> Done:
    """Wait for the end of a command that is running, and take what is left of its output.

    `communicate` would read past the streams' buffers: after a `readline` it misses whatever came
    together with that line.
    """
    pool = ThreadPoolExecutor(max_workers=2)
    streams = (process.stdout, process.stderr)
    rest = [pool.submit(stream.read) if stream else None for stream in streams]
    out, err = (read.result(timeout=PATIENCE_S) if read else "" for read in rest)
    return Done(process.wait(timeout=PATIENCE_S), out, err)


def interrupted(run: subprocess.Popen[str], asked: signal.Signals) -> tuple[int, list[str]]:
    """Stop a run at once, wherever it is; return its exit code and what it said after that."""
    assert run.stderr is not None
    run.send_signal(asked)
    said = []
    for line in run.stderr:
        said.append(line.rstrip())
        if line.startswith("stopping: "):  # two signals in a row may be one
            run.send_signal(asked)
    return end_of(run).code, said


def _words(arguments: Sequence[str | Path]) -> list[str]:
    return [sys.executable, "-m", "arena", *map(str, arguments)]


@dataclass(frozen=True)
class Tournament:
    """A config, the bots beside it, and its results."""

    folder: Path

    @property
    def config(self) -> Path:
        return self.folder / "tour.yaml"

    @property
    def results(self) -> Path:
        return self.folder / "results" / "tour"

    def configure(self, *bots: object, **keys: object) -> None:
        """Write the config: quick games on fixed cards unless `keys` say otherwise."""
        quick = {"seed": 7, "boards": 3, "options": {"target_score": 2}}
        self.config.write_text(json.dumps({**quick, "bots": bots, **keys}))  # JSON is YAML

    def add_bot(self, name: str, source: str = RANDOM_BOT) -> str:
        """Write a bot's file; return its name there."""
        (self.folder / f"{name}.py").write_text(source)
        return f"{name}.py"

    def rows(self, *, times: bool = False) -> list[str]:
        """Every stored game, in order of their ids; only the same run has the same `times`."""
        measured = ", times_us, spent_us" if times else ""
        with self._reading() as file:
            rows = file.execute(
                "SELECT versions, board, seating, winner, games.points, fault, detail, actions"
                f"{measured} FROM games JOIN plays USING (match, board, seating)"
                " JOIN matches ON matches.id = match ORDER BY versions, board, seating"
            )
            return [str(row) for row in rows]

    def stored(self) -> int:
        """How many games are stored now, also while they are being played."""
        try:
            with self._reading() as file:
                return int(file.execute("SELECT count(*) FROM games").fetchone()[0])
        except sqlite3.OperationalError:  # there is no file yet
            return 0

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        """Read the results without changing anything about their files."""
        path = self.results / "results.sqlite"
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as file:
            yield file

    def copy(self, folder: Path) -> Tournament:
        """Return the same tournament in another, empty folder."""
        shutil.copytree(self.folder, folder, dirs_exist_ok=True)
        other = Tournament(folder)
        with closing(sqlite3.connect(other.results / "results.sqlite")) as file, file:
            file.execute("UPDATE tournament SET config_path = ?", (str(other.config),))
        return other


def new_tournament(folder: Path, *bots: str, **keys: object) -> Tournament:
    """Make a tournament of as many random bots as there are names."""
    tournament = Tournament(folder)
    tournament.configure(*(tournament.add_bot(name) for name in bots), **keys)
    return tournament


def games_of(export: str) -> list[dict[str, Any]]:
    """All lines of an export but the last."""
    return [json.loads(line) for line in export.splitlines()[:-1]]


def last_of(export: str) -> dict[str, Any]:
    """The last line of an export."""
    found: dict[str, Any] = json.loads(export.splitlines()[-1])
    return found


def processes_in(folder: Path) -> list[int]:
    """All living processes that work somewhere in a folder: a run's own, its workers, its bots."""
    found = []
    for process in Path("/proc").iterdir():
        if process.name.isdigit():
            with contextlib.suppress(OSError):
                if (process / "cwd").readlink().is_relative_to(folder.resolve()):
                    found.append(int(process.name))
    return found


def bots_in(tournament: Tournament) -> list[int]:
    """The bot processes of a tournament."""
    return processes_in(tournament.results / "snapshots")


def wait_until(condition: Callable[[], object], *, patience_s: float = PATIENCE_S) -> bool:
    """Wait until something is so; False if it did not become so."""
    end = time.monotonic() + patience_s
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True
