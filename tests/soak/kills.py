"""Tournaments that are killed, stopped and suspended until they are through: what must not matter.

``python -m tests.soak.kills --runs 50 --seed 1``: each run repeats one command until it ends by
itself, under blows drawn from the seed, and is then compared with a run that was left alone.
"""

from __future__ import annotations

import json
import random
import re
import signal
import statistics
import subprocess
import sys
import time
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import click

from tests.soak import blows
from tests.soak.blows import MOMENTS, Blow, Seen, strike
from tests.soak.playground import (
    LONG,
    NONE_LEFT_S,
    OF_ONE_GAME,
    Done,
    Outcome,
    Playground,
    playground,
    wait_until,
)

_LOOK_S = 0.001
_THROUGH = (0, 1)
_SIGNAL_BASE = 128
_ARENAS_OWN = re.compile(r"/arena/(?!__init__\.py|__main__\.py\", line \d+, in <module>)")
"""A place in the arena's code, but for what runs before it can catch Ctrl-C: Python is starting."""
_LONGEST_RESUME_S = 30.0
"""A busy machine needs some seconds (faults, 5: two on a quiet one)."""
_STARTS_BEFORE_WITHDRAWN = 3
_EXCUSED = {
    2: "error: fewer than two bots can be started, so there is nothing to play\n",
    3: "error: workers die as soon as they begin; the system's log may say what kills them\n",
}
"""What a run may end with that had this many processes killed, by exit code."""


@dataclass(frozen=True)
class Mode:
    """A kind of disturbance."""

    draw: Callable[[random.Random, float], tuple[Blow, ...]]
    keys: Mapping[str, Any]
    """Of the config, beside the usual ones."""
    costs_games: bool = False
    """Whether bots may lose games by it."""


MODES = {
    "kills": Mode(blows.kills, {}),
    "bots": Mode(blows.kills_of_bots, OF_ONE_GAME, costs_games=True),
    "stops": Mode(blows.stops, {}),
    "suspensions": Mode(blows.suspensions, {"limits": {"move": "2s", "game": None}}),
}


@dataclass
class Report:
    """What one run came to."""

    commands: int = 0
    struck: Counter[str] = field(default_factory=Counter)
    """Processes by kind."""
    codes: Counter[int] = field(default_factory=Counter)
    resumes_s: list[float] = field(default_factory=list)
    """From the start of a command that continued to its first game."""
    lost_games: int = 0
    """By bots that were killed."""
    faults: list[str] = field(default_factory=list)
    """What should not have been."""


@dataclass(frozen=True)
class Reference:
    """The run that was left alone."""

    keys: Mapping[str, Any]
    outcome: Outcome
    length_s: float
    games: int


def undisturbed(mode: Mode, keys: Mapping[str, Any]) -> Reference:
    """Play the tournament of these keys without disturbance."""
    with playground() as ground:
        ground.configure(keys, mode.keys)
        began_s = time.monotonic()
        done = ground.run("tournament")
        length_s = time.monotonic() - began_s
        faults = [*_faults_of_end(done, ()), *ground.faults()]
        if faults:
            raise AssertionError(f"{faults}\n{done.err}")
        outcome = ground.outcome()
    games = outcome.export.count(b"\n") - 1  # that count; some more may be stored
    return Reference(keys, outcome, length_s, games)


class _Watch:
    """A command that is running, and when its first game began."""

    def __init__(self, process: subprocess.Popen[bytes], seen: Seen) -> None:
        self._process = process
        self._seen = seen
        self._began_s = time.monotonic()
        self.played_after_s: float | None = None

    def until(self, condition: Callable[[], object]) -> bool:
        """Wait for something; False if the command ended before."""
        while self._process.poll() is None:
            if self.played_after_s is None and self._seen.is_playing():
                self.played_after_s = time.monotonic() - self._began_s
            if condition():
                return True
            time.sleep(_LOOK_S)
        return False

    def until_due(self, blow: Blow) -> bool:
        """Wait for the moment of a blow."""
        at_s = time.monotonic() + blow.at_s

        def is_due() -> bool:
            early = blow.moment and MOMENTS[blow.moment](self._seen)
            return bool(early) or time.monotonic() >= at_s

        if not self.until(is_due):
            return False
        late_s = time.monotonic() + blow.late_s
        return self.until(lambda: time.monotonic() >= late_s)


class Disturbed:
    """One tournament under its blows."""

    def __init__(self, ground: Playground, dice: random.Random, drawn: Iterable[Blow]) -> None:
        """Begin with what is configured and not played yet."""
        self.report = Report()
        self._ground = ground
        self._dice = dice
        self._blows = deque(drawn)

    def play(self, games: int) -> None:
        """Repeat the command until it has ended by itself, with so many games in all."""
        while not self._is_through(self._command(games)) and not self.report.faults:
            if self._dice.random() < 0.5:  # else at once, while others still die
                self._look_for_survivors()

    def _is_through(self, code: int) -> bool:
        """Whether all is played: a bot that was killed at its trial start is left out of a run."""
        return code in _THROUGH and self._ground.is_complete()

    def _command(self, games: int) -> int:
        """Run the command once, with blows as they come; return its exit code."""
        ground, report = self._ground, self.report
        old = frozenset(path.name for path in ground.temporary.iterdir())
        rows = ground.rows()
        asked: list[int] = []
        process = ground.start("tournament")
        report.commands += 1
        watch = _Watch(process, Seen(ground, games, len(rows), old))
        while self._blows and watch.until_due(self._blows[0]):
            struck = strike(self._blows[0], process.pid, self._dice)
            if not struck:
                continue  # none of its victims is there yet
            blow = self._blows.popleft()
            report.struck += struck
            asked += blow.signals
            if blow.ends_it:
                break
        watch.until(lambda: False)
        done = ground.end(process)
        report.codes[done.code] += 1
        report.faults += _faults_of_end(done, asked)
        if done.code > _SIGNAL_BASE and (left := ground.described()):
            report.faults.append(f"these outlive a run that was asked to stop: {left}")
        if lost := set(rows).difference(ground.rows()):
            report.faults.append(f"{len(lost)} stored games were lost or changed")
        if rows and watch.played_after_s is not None:
            report.resumes_s.append(watch.played_after_s)
            if watch.played_after_s > _LONGEST_RESUME_S:
                report.faults.append(f"it took {watch.played_after_s:.1f} s to play on")
        return done.code

    def _look_for_survivors(self) -> None:
        if not wait_until(lambda: not self._ground.processes(), patience_s=NONE_LEFT_S):
            left = self._ground.processes()
            self.report.faults.append(f"{len(left)} processes outlive their arena: {left}")


def _faults_of_end(done: Done, asked: Collection[int]) -> Iterator[str]:
    """Say what is wrong about how a command ended that was sent these signals."""
    is_pythons = signal.SIGINT in asked and not _ARENAS_OWN.search(done.err)
    if "Traceback" in done.err and not is_pythons:
        yield f"a traceback: {done.err}"
    is_excused = done.code in _EXCUSED and done.err.endswith(_EXCUSED[done.code])
    expected = {*_THROUGH, *(-one for one in asked), *(_SIGNAL_BASE + one for one in asked)}
    if done.code not in expected and not (is_excused and asked):
        yield f"exit code {done.code}: {done.err}"


def differences(outcome: Outcome, usual: Outcome) -> list[str]:
    """Say what differs; nothing may."""
    if outcome == usual:
        return []
    mine, others = map(_by_id, (outcome.export, usual.export))
    different = [key for key in {**mine, **others} if mine.get(key) != others.get(key)]
    shown = [f"{mine.get(key)}\nand not\n{others.get(key)}" for key in different[:3]]
    return [f"{len(different)} lines differ", *(shown or [str(outcome.rankings)])]


def lost_games(outcome: Outcome, usual: Outcome) -> tuple[int, list[str]]:
    """Count the games that killed bots lost; say what else differs.

    A bot that could not start in three games in a row is withdrawn, whoever killed it, and its
    other games are not played.
    """
    mine, others = map(_by_id, (outcome.export, usual.export))
    lost = [key for key, game in mine.items() if _was_killed(game)]
    gone = {bot["version"] for bot in outcome.rankings["bots"] if bot["withdrawn"]}
    unplayed = {key for key in others if key not in mine and gone.intersection(_versions(key))}
    wrong = [
        f"{key} differs: {mine.get(key)}"
        for key in {**mine, **others}
        if mine.get(key) != others.get(key) and key not in {*lost, *unplayed}
    ]
    starts = sum(mine[key]["end"]["fault"] == "no_start" for key in lost)
    if starts < _STARTS_BEFORE_WITHDRAWN * len(gone):
        wrong.append(f"{gone} are withdrawn after {starts} failed starts")
    return len(lost), wrong


def _by_id(export: bytes) -> dict[str, Any]:
    games = [json.loads(line) for line in export.splitlines()]
    return {game["id"]: game for game in games[:-1]}


def _versions(game_id: str) -> list[str]:
    return game_id.partition("/")[0].split(":")


def _was_killed(game: dict[str, Any]) -> bool:
    end = game["end"]
    return end.get("fault") in {"crash", "no_start"} and "killed by SIGKILL" in end["detail"]


def disturbed(mode: Mode, usual: Reference, seed: str) -> Report:
    """Play one tournament under blows drawn from `seed`, and compare it with the other."""
    dice = random.Random(seed)
    drawn = mode.draw(dice, usual.length_s)
    way = {"run": {"workers": dice.choice([1, 2, 3])}, "tables": dice.choice([1, 16, "auto"])}
    with playground() as ground:
        ground.configure(usual.keys, mode.keys, way)
        run = Disturbed(ground, dice, drawn)
        run.play(usual.games)
        report = run.report
        report.faults += ground.faults()
        if not report.faults and mode.costs_games:
            report.lost_games, wrong = lost_games(ground.outcome(), usual.outcome)
            report.faults += wrong
        elif not report.faults:
            report.faults += differences(ground.outcome(), usual.outcome)
        if report.lost_games > report.struck[blows.BOT]:
            report.faults.append(f"{report.lost_games} games lost by {report.struck} kills")
    if report.faults:
        report.faults.append(f"seed {seed}: {way}; {'; '.join(map(str, drawn))}")
    return report


@click.command()
@click.option("--mode", type=click.Choice(list(MODES)), default="kills", show_default=True)
@click.option("--runs", default=50, show_default=True)
@click.option("--seed", default=1, show_default=True)
@click.option("--first", default=0, show_default=True, help="To repeat one that went wrong.")
def main(mode: str, runs: int, seed: int, first: int) -> None:
    """Play RUNS tournaments under blows; exit with 1 if anything came out differently."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that nothing is left behind
    # Ignored in the background, and then by the runs too.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    began_s = time.monotonic()
    reference = undisturbed(MODES[mode], LONG)
    reports = []
    for number in range(first, first + runs):
        report = disturbed(MODES[mode], reference, f"{mode}/{seed}/{number}")
        reports.append(report)
        click.echo(f"{number}: {_figures([report])}", err=True)
        for fault in report.faults:
            click.echo(fault)
    click.echo(f"{runs} runs of {reference.games} games, {time.monotonic() - began_s:.0f} s")
    click.echo(_figures(reports))
    sys.exit(any(report.faults for report in reports))


def _figures(reports: Sequence[Report]) -> str:
    struck = sum((report.struck for report in reports), Counter[str]())
    codes = sum((report.codes for report in reports), Counter[int]())
    resumes_s = [one for report in reports for one in report.resumes_s]
    parts = [
        f"{sum(report.commands for report in reports)} commands",
        "struck: " + ", ".join(f"{number} {kind}s" for kind, number in sorted(struck.items())),
        "exit codes: " + ", ".join(f"{code} x{number}" for code, number in sorted(codes.items())),
        f"{sum(report.lost_games for report in reports)} games lost by it",
        f"{sum(bool(report.faults) for report in reports)} failures",
    ]
    if resumes_s:
        middle = statistics.median(resumes_s)
        parts.append(f"playing again after {middle:.2f} s (at most {max(resumes_s):.2f})")
    return "; ".join(parts)


if __name__ == "__main__":
    main()
