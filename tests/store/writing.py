"""Run as a program: a process that opens a store, says so, and writes jobs until it is killed.

Usage: writing.py FOLDER hold | write
"""

from __future__ import annotations

import sys
from itertools import count
from pathlib import Path

from arena.referee.record import GameId, GameRecord, Target
from arena.store.store import Store

MATCH = ("a@1", "b@1")
JOB_GAMES = 40


def job(number: int) -> list[GameRecord]:
    """Every game of job `number`, large enough that a write takes its time."""
    return [
        GameRecord(
            GameId(MATCH, number * JOB_GAMES + board, number % 2),
            (10, number),
            0,
            Target(),
            actions=("play:9C",) * 500,
            times_us=(1_000,) * 500,
        )
        for board in range(JOB_GAMES)
    ]


def main(folder: str, what: str) -> None:
    """Hold the lock, or write one job after the other and print each one's number when stored."""
    with Store.open(Path(folder)) as store:
        print("open", flush=True)
        if what == "hold":
            sys.stdin.read()
        for number in count() if what == "write" else ():
            store.add(job(number))
            print(number, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
