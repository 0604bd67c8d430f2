"""How many cores a job would take is seen, however few there are."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from jobs import bot, by_board, job

from arena.runtime.worker import run_job

BURNS = """
import time
from hashlib import sha256
from threading import Thread

from arena.sdk import Bot, run

LONG = bytes(10_000_000)

def burn():
    while True:
        sha256(LONG)

class Burner(Bot):
    def choose(self, view, legal):
        time.sleep(0.03)
        return legal[0]

for _ in range({threads}):
    Thread(target=burn, daemon=True).start()
run(Burner)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only there threads tell that they wait")
@pytest.mark.parametrize("threads", [0, 2])
def test_threads_that_run_all_the_time_are_cores_wanted(threads: int, tmp_path: Path) -> None:
    (tmp_path / "burner.py").write_text(BURNS.replace("{threads}", str(threads)))
    bots = [bot("a@1", tmp_path / "burner.py"), bot("b@1")]
    result = run_job(job(bots, 4))
    assert len(by_board(result)) == 4
    assert (result.cores >= 1.5) == (threads == 2)
