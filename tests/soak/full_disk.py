"""Runs whose disk is full at some point: they say so, lose nothing, and go on once there is room.

``python -m tests.soak.full_disk --points 20 --seed 1``: at each point the results, or the folder
for temporary files, are on a small disk in memory that a ballast file fills up to a remainder drawn
from the seed, before the command begins or while it runs. Mounting needs a namespace of its own,
which `unshare` gives to root, and on most systems to everybody.
"""

from __future__ import annotations

import contextlib
import os
import random
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from tests.soak.playground import (
    LONG,
    NONE_LEFT_S,
    SHORT,
    Done,
    Outcome,
    Playground,
    playground,
    wait_until,
)

_DISK_KIB = 4096
_PAGE_BYTES = 4096
_FEW_FILES, _MANY_FILES = 14, 10_000
_ENVIRONMENT = 4
_THROUGH = (0, 1)
_REMEDIES = ("space", "writable")
_CHAINS = (("unshare", "--mount"), ("unshare", "--user", "--map-root-user", "--mount"))

Ended = tuple[Done, set[str]]
"""How the run that met the disk's refusal ended, and games that were stored before."""


def chain() -> tuple[str, ...] | None:
    """Return the words before a program that is to mount something; None: it cannot be had."""
    for words in _CHAINS:
        probe = [*words, "mount", "-t", "tmpfs", "none", "/mnt"]
        with contextlib.suppress(OSError):
            if subprocess.run(probe, capture_output=True, check=False).returncode == 0:
                return words
    return None


@dataclass(frozen=True)
class Disk:
    """A small disk in memory."""

    folder: Path

    def free_bytes(self) -> int:
        """Return what fits on it now."""
        free = os.statvfs(self.folder)
        return free.f_bavail * free.f_frsize

    def fill(self, remainder_bytes: int = 0) -> None:
        """Let so much be left, or what there is if that is less."""
        with (self.folder / "ballast").open("wb", buffering=0) as ballast:
            with contextlib.suppress(OSError):  # it is full sooner: others write too
                for _ in range(self.free_bytes() // _PAGE_BYTES):
                    ballast.write(bytes(_PAGE_BYTES))
            ballast.truncate(max(0, ballast.tell() - remainder_bytes))

    def limit_files(self, most: int) -> None:
        """Let it hold no more files and folders."""
        _mount("-o", f"remount,nr_inodes={most}", str(self.folder))

    @contextmanager
    def read_only(self) -> Iterator[None]:
        """Refuse all writing meanwhile."""
        _mount("-o", "remount,ro", str(self.folder))
        yield
        _mount("-o", "remount,rw", str(self.folder))

    def empty(self) -> None:
        """Give all its room back."""
        (self.folder / "ballast").unlink(missing_ok=True)
        self.limit_files(_MANY_FILES)


@contextmanager
def disk(folder: Path) -> Iterator[Disk]:
    """Mount one."""
    folder.mkdir(exist_ok=True)
    _mount("-t", "tmpfs", "-o", f"size={_DISK_KIB}k,nr_inodes={_MANY_FILES}", "none", str(folder))
    try:
        yield Disk(folder)
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def _mount(*words: str) -> None:
    """Mount; present options are not given again, not all of them are allowed in a namespace."""
    subprocess.run(["mount", "--options-mode", "ignore", *words], check=True)


@dataclass(frozen=True)
class Reference:
    """The run that had room enough."""

    keys: Mapping[str, Any]
    outcome: Outcome
    length_s: float
    used_bytes: int
    """At its end; more in between."""


def undisturbed(keys: Mapping[str, Any]) -> Reference:
    """Play on a disk that is large enough."""
    with playground() as ground, disk(ground.folder / "results") as its_disk:
        ground.configure(keys)
        room_bytes, began_s = its_disk.free_bytes(), time.monotonic()
        done = ground.run("tournament")
        length_s = time.monotonic() - began_s
        if done.code not in _THROUGH:
            raise AssertionError(done.err)
        used_bytes = room_bytes - its_disk.free_bytes()
        return Reference(keys, ground.outcome(), length_s, used_bytes)


@dataclass(frozen=True)
class Report:
    """What one point came to."""

    way: str
    code: int
    stored: int
    """Games, when it ended."""
    said: str
    faults: tuple[str, ...]


def _at_first(ground: Playground, its_disk: Disk, dice: random.Random, usual: Reference) -> Ended:
    its_disk.fill(dice.randrange(usual.used_bytes))
    return ground.run("tournament"), set()


def _in_the_middle(
    ground: Playground, its_disk: Disk, dice: random.Random, usual: Reference
) -> Ended:
    process = ground.start("tournament")
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(dice.uniform(0, usual.length_s))
    committed = _games(ground)
    its_disk.fill()
    return ground.end(process), committed


def _of_few_files(ground: Playground, its_disk: Disk, dice: random.Random, _: Reference) -> Ended:
    its_disk.limit_files(dice.randint(2, _FEW_FILES))
    return ground.run("tournament"), set()


def _read_only(ground: Playground, its_disk: Disk, dice: random.Random, usual: Reference) -> Ended:
    process = ground.start("tournament")
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(dice.uniform(0, usual.length_s))
    process.kill()
    ground.end(process)
    committed = _games(ground)
    with its_disk.read_only():
        if ground.stored():
            ground.outcome()  # can be read
        return ground.run("tournament"), committed


Way = Callable[[Playground, Disk, random.Random, Reference], Ended]
_WAYS: Mapping[str, Way] = {
    "in the middle": _in_the_middle,
    "at first": _at_first,
    "few files": _of_few_files,
    "read-only": _read_only,
    "temporary": _of_few_files,
}


def point(way: str, usual: Reference, seed: str) -> Report:
    """Let a disk refuse in one of `_WAYS`; then put it right and finish."""
    dice = random.Random(seed)
    with playground() as ground:
        ground.configure(usual.keys, {"run": {"workers": dice.choice([1, 2])}})
        place = ground.temporary if way == "temporary" else ground.folder / "results"
        with disk(place) as its_disk:
            done, committed = _WAYS[way](ground, its_disk, dice, usual)
            rows = ground.rows()
            faults = [*_faults_of_end(done), *_faults_of_rest(ground)]
            if lost := committed - _games(ground):
                faults.append(f"{len(lost)} games were lost")
            its_disk.empty()
            faults += _faults_of_resume(ground, rows, usual)
        if faults:
            faults.append(f"seed {seed}, {way}: {done.err}")
        return Report(way, done.code, len(rows), done.err, tuple(faults))


def _games(ground: Playground) -> set[str]:
    with contextlib.suppress(sqlite3.OperationalError):  # no file yet, or none of its tables
        return {str(row) for row in ground.query("SELECT match, board, seating FROM games")}
    return set()


def _faults_of_end(done: Done) -> Iterator[str]:
    """Say what is wrong about how a command ended that may have met a disk that refuses."""
    if "Traceback" in done.err:
        yield "a traceback"
    if done.code not in {_ENVIRONMENT, *_THROUGH}:
        yield f"exit code {done.code}"
    helps = "error: " in done.err and any(word in done.err for word in _REMEDIES)
    if done.code == _ENVIRONMENT and not helps:
        yield "it does not say what to do"


def _faults_of_rest(ground: Playground) -> Iterator[str]:
    if not wait_until(lambda: not ground.processes(), patience_s=NONE_LEFT_S):
        yield f"processes are left: {ground.processes()}"
    if left := [path.name for path in ground.temporary.iterdir() if path.name != "ballast"]:
        yield f"temporary files are left: {left}"


def _faults_of_resume(ground: Playground, rows: Sequence[str], usual: Reference) -> Iterator[str]:
    """Run the same command again; say what is wrong about that."""
    done = ground.run("tournament")
    if done.code not in _THROUGH:
        yield f"it does not go on: {done.code} {done.err}"
        return
    yield from ground.faults()
    if lost := set(rows).difference(ground.rows()):
        yield f"{len(lost)} stored games were lost or changed"
    if ground.outcome() != usual.outcome:
        yield "the outcome differs"


def in_its_namespace(*options: str) -> list[str]:
    """Return the command that runs this module where it may mount; `chain` must be had."""
    return [*(chain() or ()), sys.executable, "-m", "tests.soak.full_disk", "--inside", *options]


@click.command()
@click.option("--points", default=20, show_default=True)
@click.option("--seed", default=1, show_default=True)
@click.option("--first", default=0, show_default=True, help="To repeat one that went wrong.")
@click.option("--short", is_flag=True, help="A smaller tournament.")
@click.option("--inside", is_flag=True, hidden=True)
def main(points: int, seed: int, first: int, short: bool, inside: bool) -> None:
    """Let the disk become full at POINTS points; exit with 1 if any went wrong."""
    if not inside:
        if chain() is None:
            raise click.ClickException("neither root nor user namespaces: nothing can be mounted")
        command = in_its_namespace(*sys.argv[1:])
        os.execvp(command[0], command)
    began_s = time.monotonic()
    usual = undisturbed(SHORT if short else LONG)
    ways = list(_WAYS)
    reports = []
    for number in range(first, first + points):
        report = point(ways[number % len(ways)], usual, f"{seed}/{number}")
        reports.append(report)
        said = [*report.said.splitlines(), ""][-2]
        click.echo(
            f"{number}: {report.way}, {report.stored} games, {report.code}: {said}", err=True
        )
        for fault in report.faults:
            click.echo(fault)
    codes = Counter(report.code for report in reports)
    failures = sum(bool(report.faults) for report in reports)
    counted = ", ".join(f"{code} x{number}" for code, number in sorted(codes.items()))
    click.echo(f"{points} points, {time.monotonic() - began_s:.0f} s")
    click.echo(f"exit codes: {counted}; {failures} failures")
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
