"""Bots whose processes run away: how long any of them outlives its job, or its arena.

``python -m tests.soak.orphans --times 10``: at every level of isolation that can be had here, runs
that end by themselves, runs whose coordinator is killed, and runs whose workers are killed too.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial

import click

from tests.soak.blows import children
from tests.soak.playground import LEVELS, ROOT, Done, Playground, playground, wait_until

_RUNAWAY = ROOT / "tests" / "soak" / "bots" / "runaway.py"
_FEW_BOARDS, _ENDLESS = 2, 100_000
_ENOUGH = 12
"""Runaways, before anything is killed."""
_PATIENCE_S = 6.0


@dataclass(frozen=True)
class Outlived:
    """How one run was survived."""

    runaways: int
    """The most that were there at a time."""
    seconds: float
    """Until none was left."""
    left: int
    """That were still there when nobody waited any more."""
    left_by_the_next: int = 0
    """Of those, how many also outlived the next command, which sweeps up."""


def _run(ground: Playground, level: str, boards: int) -> Callable[[], list[int]]:
    bots = [
        {"name": name, "path": str(_RUNAWAY), "params": {"mark": str(ground.folder)}}
        for name in ("one", "other")
    ]
    ground.configure(
        {
            "seed": 3,
            "isolation": level,
            "boards": boards,
            "options": {"target_score": 1},
            "limits": {"move": "60s", "game": None, "start": "60s"},
            "bots": bots,
        }
    )
    return lambda: [pid for pid in ground.processes() if _is_runaway(ground, pid)]


def _is_runaway(ground: Playground, pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as words:  # noqa: PTH123 - one of thousands
            return words.read().startswith(bytes(ground.folder) + b"/runaway")
    except OSError:
        return False


def _survived(ground: Playground, most: int) -> Outlived:
    began_s = time.monotonic()
    wait_until(lambda: not ground.processes(), patience_s=_PATIENCE_S)
    return Outlived(most, time.monotonic() - began_s, len(ground.processes()))


def at_an_end(level: str) -> Outlived:
    """Let a run end by itself."""
    with playground() as ground:
        runaways = _run(ground, level, _FEW_BOARDS)
        process = ground.start("tournament")
        most = 0
        while process.poll() is None:
            most = max(most, len(runaways()))
        found = _survived(ground, most)
        _require(ground.end(process))
        return found


def at_a_kill(level: str, *, workers: bool) -> Outlived:
    """Kill the coordinator of a run, or all of the arena at once."""
    with playground() as ground:
        runaways = _run(ground, level, _ENDLESS)
        process = ground.start("tournament")
        if not wait_until(lambda: len(runaways()) >= _ENOUGH or process.poll() is not None):
            raise AssertionError("there are no runaways")
        most = len(runaways())
        victims = [process.pid, *(children(process.pid) if workers else ())]
        for number in (signal.SIGSTOP, signal.SIGKILL):  # stopped, so that they die at one time
            for pid in victims:
                os.kill(pid, number)
        process.wait()
        found = _survived(ground, most)
        if found.left:
            _run(ground, level, 1)
            _require(ground.run("tournament"))
        return replace(found, left_by_the_next=len(ground.processes()))


def _require(done: Done) -> None:
    if done.code:
        raise AssertionError(f"exit code {done.code}: {done.err}")


WAYS: Mapping[str, Callable[[str], Outlived]] = {
    "a run ends": at_an_end,
    "kill -9 of the coordinator": partial(at_a_kill, workers=False),
    "kill -9 of the whole arena": partial(at_a_kill, workers=True),
}


def target_s(level: str, way: str) -> float | None:
    """How long they may live on (faults, 5); None at the level none, where nothing is asked."""
    if level == "none":
        return None
    if WAYS[way] is at_an_end:
        return 1
    return 2 if level == "sandbox" else 5


def _is_failure(run: Outlived, target: float | None) -> bool:
    late = target is not None and (run.left > 0 or run.seconds > target)
    return late or run.left_by_the_next > 0


@click.command()
@click.option("--times", default=10, show_default=True, help="Runs of each kind.")
def main(times: int) -> None:
    """Let bots run away; exit with 1 if they lived on for longer than is promised."""
    failures = 0
    for level in LEVELS:
        for way, play in WAYS.items():
            runs = [play(level) for _ in range(times)]
            target = target_s(level, way)
            longest_s = max(run.seconds for run in runs)
            left = sum(run.left for run in runs)
            failures += any(_is_failure(run, target) for run in runs)
            promise = "no target" if target is None else f"target {target} s"
            click.echo(
                f"{level}, {way}: {sum(run.runaways for run in runs)} runaways in {times} runs,"
                f" waited for {longest_s:.2f} s at most ({promise}); {left} left,"
                f" {sum(run.left_by_the_next for run in runs)} by the next command"
            )
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
