"""What befalls a run: when, whom, by which signals. Drawn from a seed, struck at real processes.

A bot that is killed while the arena looks on has crashed, whoever killed it, and loses its game.
So where the outcome must stay the same, bots are killed only in one instant with the worker or the
coordinator that would have judged them: all victims are stopped before the first one is killed.
"""

from __future__ import annotations

import math
import os
import random
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from tests.soak.playground import Playground

COORDINATOR, WORKER, BOT = "coordinator", "worker", "bot"
MOST_LOST_JOBS = 3
"""So often may a game's worker die in a run; once more, and the game may be listed as void."""
_LATE_S = 0.05
"""A blow that is drawn for a moment falls up to so long after it."""
_KILLED_AT_ONCE = (signal.SIGSTOP, signal.SIGKILL)


@dataclass(frozen=True)
class Blow:
    """One of them."""

    victims: frozenset[str]
    """These kinds of process."""
    signals: tuple[signal.Signals, ...]
    """Sent one after the other, each to all victims."""
    at_s: float = 0
    """How long after the blow before it, or after the command began."""
    moment: str = ""
    """A key of `MOMENTS`: it falls then if that is earlier."""
    late_s: float = 0
    """How long after the moment."""
    apart_s: float = 0
    """How long after one signal the next comes."""
    share: Literal["one", "some", "all"] = "some"
    """How many of the workers there are, and of the bots."""

    @property
    def ends_it(self) -> bool:
        """Whether the command cannot go on after it."""
        return COORDINATOR in self.victims and signal.SIGKILL in self.signals

    def __str__(self) -> str:
        names = ", ".join(one.name for one in self.signals)
        when = f"{self.late_s:.3f} s after {self.moment}" if self.moment else f"{self.at_s:.3f} s"
        return f"{names} ({self.apart_s:.2f} s apart) to {'+'.join(sorted(self.victims))}: {when}"


@dataclass(frozen=True)
class Seen:
    """What moments are told by: a tournament, and how it was when its present command began."""

    ground: Playground
    games: int
    """That count in the end."""
    stored: int
    private_folders: frozenset[str]
    """Left by commands before this one."""

    def is_playing(self) -> bool:
        """Whether a job with games has begun: it has a place for a second bot."""
        return any(
            path.parts[-2] not in self.private_folders for path in self.ground.temporary.glob("*/1")
        )


def _exists(path: Path, least_bytes: int = 0) -> bool:
    with suppress(FileNotFoundError):
        return path.stat().st_size >= least_bytes
    return False


_EARLY: Mapping[str, Callable[[Seen], object]] = {
    "the folder is there": lambda seen: seen.ground.results.is_dir(),
    "the file is being made": lambda seen: _exists(seen.ground.results / "results.sqlite.new"),
    "the file has a log": lambda seen: _exists(seen.ground.results / "results.sqlite-wal"),
    "a snapshot is being taken": lambda seen: any(seen.ground.results.glob("snapshots/.*")),
    "a bot is started": lambda seen: any(seen.ground.temporary.glob("*/0/home1")),
    "a game is played": Seen.is_playing,
}
"""These may have passed for good, so that such a blow may have to fall at any other time."""
_LATE: Mapping[str, Callable[[Seen], object]] = {
    "a job is stored": lambda seen: seen.ground.stored() > seen.stored,
    "all is stored": lambda seen: seen.ground.stored() >= seen.games,
    "the table is printed": lambda seen: _exists(seen.ground.folder / "out", 1),
}
_EACH_RUN_HAS = (
    "the folder is there",
    "the file has a log",
    "a bot is started",
    "a game is played",
)
MOMENTS = {**_EARLY, **_LATE}
"""What they are called, and whether it is so."""


# drawing


def _timed(blows: Sequence[Blow], dice: random.Random, length_s: float) -> tuple[Blow, ...]:
    """Draw when blows fall: half of them at any time, half at some moment, late moments last.

    The first falls at a moment that every run has, however long it takes.
    """
    first = _at(dice.choice(_EACH_RUN_HAS), blows[0], dice)
    rest = [
        _at(dice.choice(list(MOMENTS)), blow, dice, length_s)
        if dice.random() < 0.5
        else replace(blow, at_s=dice.uniform(0, length_s))
        for blow in blows[1:]
    ]
    return (first, *sorted(rest, key=lambda blow: blow.moment in _LATE))


def _at(moment: str, blow: Blow, dice: random.Random, length_s: float = math.inf) -> Blow:
    """Let a blow fall at a moment, or at any time where that may be over for good."""
    at_s = math.inf if moment in _LATE or length_s == math.inf else dice.uniform(0, length_s)
    return replace(blow, moment=moment, at_s=at_s, late_s=dice.uniform(0, _LATE_S))


def kills(dice: random.Random, length_s: float) -> tuple[Blow, ...]:
    """Draw kills of coordinator and workers, alone or with their bots."""
    groups = [{COORDINATOR}, {WORKER}, {WORKER, BOT}, {COORDINATOR, WORKER}]
    groups += [{COORDINATOR, BOT}, {COORDINATOR, WORKER, BOT}]
    drawn: list[Blow] = []
    for _ in range(dice.randint(4, 10)):
        lost = sum(COORDINATOR not in blow.victims for blow in drawn)
        allowed = groups if lost < MOST_LOST_JOBS else [one for one in groups if COORDINATOR in one]
        drawn.append(Blow(frozenset(dice.choice(allowed)), _KILLED_AT_ONCE))
    return _timed(drawn, dice, length_s)


def kills_of_bots(dice: random.Random, length_s: float) -> tuple[Blow, ...]:
    """Draw kills of one bot at a time."""
    blow = Blow(frozenset({BOT}), (signal.SIGKILL,), share="one")
    number = dice.randint(4, 12)
    longest_s = 1.5 * length_s / number
    rest = (replace(blow, at_s=dice.uniform(0, longest_s)) for _ in range(number - 1))
    return (_at("a bot is started", blow, dice), *rest)


def stops(dice: random.Random, length_s: float) -> tuple[Blow, ...]:
    """Draw requests to stop, made once or twice."""
    drawn = []
    for _ in range(dice.randint(3, 6)):
        asked = dice.choice([signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
        signals = (asked,) * dice.randint(1, 2)
        drawn.append(Blow(frozenset({COORDINATOR}), signals, apart_s=dice.uniform(0, 0.3)))
    return _timed(drawn, dice, length_s)


def suspensions(dice: random.Random, length_s: float) -> tuple[Blow, ...]:
    """Draw times in which nothing of the arena runs, as on a machine that is suspended."""
    everything = frozenset({COORDINATOR, WORKER, BOT})
    pause = (signal.SIGSTOP, signal.SIGCONT)
    blow = Blow(everything, pause, apart_s=3, share="all")
    first = _at("a game is played", blow, dice)
    rest = (replace(first, late_s=dice.uniform(0, length_s)) for _ in range(dice.randint(0, 2)))
    return (first, *rest)


# striking


def strike(blow: Blow, coordinator: int, dice: random.Random) -> Counter[str]:
    """Send the signals; return how many processes of each kind got the first of them."""
    victims = list(_victims(blow, coordinator, dice))
    struck: Counter[str] = Counter()
    for number, one in enumerate(blow.signals):
        if number:
            time.sleep(blow.apart_s)
        dice.shuffle(victims)
        for kind, pid in victims:
            with suppress(ProcessLookupError):
                os.kill(pid, one)
                struck[kind] += not number
    return struck


def _victims(blow: Blow, coordinator: int, dice: random.Random) -> Iterator[tuple[str, int]]:
    """Yield kind and pid; with workers only their own bots go, with the coordinator any."""

    def some(pids: list[int]) -> list[int]:
        if blow.share == "all" or not pids:
            return pids
        return dice.sample(pids, 1 if blow.share == "one" else dice.randint(1, len(pids)))

    workers = children(coordinator)
    if COORDINATOR in blow.victims:
        yield COORDINATOR, coordinator
    if WORKER in blow.victims:
        chosen = some(workers)
        yield from ((WORKER, pid) for pid in chosen)
        workers = workers if COORDINATOR in blow.victims else chosen
    if BOT in blow.victims:
        bots = [bot for worker in workers for bot in children(worker)]
        yield from ((BOT, pid) for pid in some(bots))


def children(pid: int) -> list[int]:
    """All children of a process that have not ended."""
    found = []
    for thread in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):
            found += [int(child) for child in thread.read_text().split()]
    return [child for child in found if _lives(child)]


def _lives(pid: int) -> bool:
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    return False
