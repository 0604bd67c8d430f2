"""Behind `arena doctor`: what this machine has, and whether levels keep their promises on it."""

from __future__ import annotations

import os
import platform
import shutil
import time
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path

import msgspec

import arena
from arena.errors import SurroundingsError
from arena.runtime.executor import cores
from arena.runtime.inspection import inspect, is_broken
from arena.runtime.inspection.surroundings import private_place, tool_versions, zmq_version
from arena.runtime.isolation import isolation
from arena.runtime.isolation.levels import LEVELS, OF_AUTO
from arena.runtime.job import Finding
from arena.store.files import SQLITE_VERSION
from arena.text import refusal

_READINGS = 2_000


class Clock(msgspec.Struct, frozen=True):
    """What limits are measured with."""

    resolution_ns: int
    """The smallest step that was seen."""
    shows_suspensions: bool
    """Whether it can be seen that the machine was suspended."""


class Disk(msgspec.Struct, frozen=True):
    """Room where something is kept."""

    keeps: str
    path: str
    free_bytes: int
    total_bytes: int


class Machine(msgspec.Struct, frozen=True):
    """What there is here."""

    arena: str
    python: str
    system: str
    root: bool
    cores: int
    """That may be used."""
    load: tuple[float, ...]
    """Over 1, 5 and 15 minutes."""
    clock: Clock
    disks: tuple[Disk, ...]
    libraries: dict[str, str]
    tools: dict[str, str | None]
    """By package; null: it is not there."""


class Level(msgspec.Struct, frozen=True):
    """One level of isolation here."""

    name: str
    problem: str | None
    """Why it is not to be had, and what to do; null: it is."""
    findings: tuple[Finding, ...] = ()

    @property
    def is_sound(self) -> bool:
        """Whether it is to be had and keeps its promises."""
        return self.problem is None and not is_broken(self.findings)


class Diagnosis(msgspec.Struct, frozen=True):
    """What ``doctor --json`` prints."""

    machine: Machine
    levels: tuple[Level, ...]
    auto: str | None
    """The level that ``auto`` takes here; null if only one was looked at, or none is sound."""
    schema: str = "arena.doctor/1"


def diagnose(asked: str | None = None) -> Diagnosis:
    """Look at the machine and attack all levels, or the one that was asked for."""
    levels = [_level(name) for name in ((asked,) if asked else LEVELS)]
    auto = None if asked else _strongest(levels)
    return Diagnosis(_machine(), tuple(levels), auto)


def is_ill(diagnosis: Diagnosis, asked: str | None) -> bool:
    """Whether a promise is broken, or the level that was asked for is not to be had."""
    broken = any(is_broken(level.findings) for level in diagnosis.levels)
    return broken or (asked is not None and not all(one.is_sound for one in diagnosis.levels))


def _level(name: str) -> Level:
    try:
        return Level(name, None, inspect(isolation(name)))
    except SurroundingsError as error:
        return Level(name, str(error))
    except OSError as error:
        return Level(name, f"it could not be attacked: {refusal(error)}")


def _strongest(levels: Sequence[Level]) -> str | None:
    sound = {level.name for level in levels if level.is_sound}
    return next((name for name in OF_AUTO if name in sound), None)


def _machine() -> Machine:
    return Machine(
        arena=arena.__version__,
        python=platform.python_version(),
        system=f"{platform.system()} {platform.release()}",
        root=os.geteuid() == 0,
        cores=len(cores()),
        load=tuple(round(load, 2) for load in os.getloadavg()),
        clock=Clock(_resolution_ns(), hasattr(time, "CLOCK_BOOTTIME")),
        disks=tuple(_disks()),
        libraries={
            "pyzmq": version("pyzmq"),
            "libzmq": zmq_version(),
            "msgspec": version("msgspec"),
            "SQLite": SQLITE_VERSION,
        },
        tools=tool_versions(),
    )


def _resolution_ns() -> int:
    readings = [time.monotonic_ns() for _ in range(_READINGS)]
    steps = (after - before for before, after in pairwise(readings))
    return min((step for step in steps if step), default=0)


def _disks() -> Iterable[Disk]:
    """Return the room where results would be kept if a config lay here, and where jobs play."""
    for keeps, path in (("results", Path.cwd()), ("private folders", private_place())):
        usage = shutil.disk_usage(path)
        yield Disk(keeps, str(path), usage.free, usage.total)
