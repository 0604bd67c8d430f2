"""A coordinator to be killed: hands a job of bots that never answer to two workers and waits."""

from __future__ import annotations

import sys
from pathlib import Path

from jobs import bot, job

from arena.runtime.executor import LocalExecutor, encode, play_job

if __name__ == "__main__":
    mark, silent = sys.argv[1], Path(sys.argv[2])
    executor = LocalExecutor(2)
    bots = [bot("a@1", silent, mark=mark), bot("b@1", silent, mark=mark)]
    futures = [executor.submit(play_job, encode(job(bots, 1))) for _ in range(2)]
    for future in futures:
        future.result()
