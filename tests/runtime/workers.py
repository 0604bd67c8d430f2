"""Local workers for the tests, jobs for them, and bots that speak the protocol by hand."""

from __future__ import annotations

from concurrent.futures import Future
from pathlib import Path

from jobs import HOSTILE, bot, job
from processes import marked

from arena.runtime.executor import (
    Job,
    JobResult,
    LocalExecutor,
    decode_result,
    encode,
    play_job,
)
from arena.runtime.worker_process import WorkerProcess

SILENT = "import time\nimport raw\nraw.handshake()\ntime.sleep(1000)\n"
STUCK_LATER = """
import json, pathlib, time, raw

socket, games = raw.handshake(), {}
while True:
    asked, answers = set(), []
    for message in json.loads(socket.recv()):
        if message["type"] == "game_start":
            games[message["table"]] = message["bot_seed"]
        elif message["type"] == "decide":
            asked.add(games[message["table"]])
            answers.append(raw.first_legal(message))
            if games[message["table"]] < 3:
                answers[-1]["type"] = "fail"
    if min(asked) >= 3:
        pathlib.Path("stuck").touch()
        time.sleep(1000)
    socket.send_json(answers)
"""
"""Gives games 0, 1 and 2 up; never answers once it is asked only about others."""


def script(folder: Path, text: str) -> Path:
    """Write a bot that speaks the protocol by hand."""
    folder.mkdir()
    (folder / "raw.py").write_bytes((HOSTILE / "raw.py").read_bytes())
    (folder / "bot.py").write_text(text)
    return folder / "bot.py"


def submit(executor: LocalExecutor, wanted: Job) -> Future[bytes]:
    return executor.submit(play_job, encode(wanted))


def played(future: Future[bytes]) -> JobResult:
    return decode_result(future.result(timeout=60))


def healthy(mark: str, count: int = 3) -> Job:
    return job([bot("a@1", mark=mark), bot("b@1", mark=mark)], count)


def stuck(mark: str, silent: Path) -> Job:
    return job([bot("a@1", silent, mark=mark), bot("b@1", silent, mark=mark)], 1)


def are_playing(mark: str, bots: int) -> bool:
    """Tell whether so many bots are past the launcher: their interpreters run."""
    return sum(is_python(pid) for pid in marked(mark)) == bots


def is_python(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/comm").read_text().startswith("python")
    except OSError:
        return False


def words(pid: int) -> str:
    """Return the command line of a process."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return ""


def present(executor: LocalExecutor) -> WorkerProcess:
    worker = executor._workers[0]._present
    assert worker is not None
    return worker


def worker_pid(executor: LocalExecutor) -> int:
    return present(executor)._process.pid
