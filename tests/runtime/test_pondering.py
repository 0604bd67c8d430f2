"""Bots that may not ponder stand still while the other one is to move."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from jobs import PATIENT, bot, by_board, job
from msgspec.structs import replace

from arena.referee.record import Target
from arena.runtime.executor import JobResult
from arena.runtime.worker import run_job

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only there a tree can be walked")

PONDERER = """
import threading, time
from arena.sdk import run

spent = 0.0

def ponder():
    global spent
    last = time.monotonic()
    while True:
        time.sleep(0.001)
        now = time.monotonic()
        spent, last = spent + min(now - last, 0.01), now

threading.Thread(target=ponder, daemon=True).start()
begun = time.monotonic()

def choose(view, legal):
    print(f"{spent:.3f} of {time.monotonic() - begun:.3f}", flush=True)
    return legal[0]

run(choose)
"""
"""Counts how long it was awake."""
SLEEPER = """
import time
from arena.sdk import run

def choose(view, legal):
    time.sleep(0.05)
    return legal[0]

run(choose)
"""


def play(tmp_path: Path, mark: str, pondering: str, isolation: str) -> tuple[JobResult, float]:
    """Return what came of a job, and for what share of the game the ponderer was awake."""
    bots = []
    folder = tmp_path / "bots"
    folder.mkdir()  # a bot's user must be able to read it
    for name, code in (("ponderer", PONDERER), ("sleeper", SLEEPER)):
        (folder / f"{name}.py").write_text(code)
        bots.append(bot(f"{name}@1", folder / f"{name}.py", mark=mark, limits=PATIENT))
    wanted = job(bots, 1, tables=None, logs=tmp_path / "logs")
    result = run_job(replace(wanted, pondering=pondering, isolation=isolation))
    lines = (tmp_path / "logs/ponderer.stderr.log").read_text().splitlines()
    (first, last) = ([float(part) for part in line.split(" of ")] for line in (lines[0], lines[-1]))
    return result, (last[0] - first[0]) / (last[1] - first[1])


@pytest.mark.usefixtures("private_folders")
@pytest.mark.parametrize("isolation", ["none", "process", "sandbox"])
def test_who_is_not_asked_stands_still(tmp_path: Path, mark: str, isolation: str) -> None:
    result, share = play(tmp_path, mark, "suspend", isolation)
    (record,) = by_board(result).values()
    assert (record.pondering, record.isolation, record.tables) == ("suspend", isolation, 1)
    assert record.end == Target()
    assert share < 0.4


@pytest.mark.usefixtures("private_folders")
def test_otherwise_it_may_think_all_the_time(tmp_path: Path, mark: str) -> None:
    result, share = play(tmp_path, mark, "allow", "process")
    (record,) = by_board(result).values()
    assert record.pondering == "allow"
    assert share > 0.4
    assert all(taken > 0 for taken in record.cpu_us)
