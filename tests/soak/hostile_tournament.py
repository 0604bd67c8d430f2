"""A tournament of six honest bots and six hostile ones, beside one of the honest ones alone.

``python -m tests.soak.hostile_tournament --boards 20``: at every level of isolation that can be
had here it must end by itself, every fault must be a hostile bot's own, the honest bots' games with
each other must be those of the tournament alone byte for byte, and nothing may be left.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from tests.soak.bots.stormy import WAYS
from tests.soak.playground import LEVELS, PATIENCE_S, ROOT, Playground, playground

_STORMY = ROOT / "tests" / "soak" / "bots" / "stormy.py"
_HONEST = {
    f"{name}{number}": str(ROOT / "bots" / f"{file}.py")
    for name, file in (("dice", "random_bot"), ("first", "legal_first"), ("rules", "rules_bot"))
    for number in (1, 2)
}
HOSTILE: Mapping[str, Sequence[str]] = {
    "bomb": ("exits with children", "aborts loudly", "segfaults"),
    "hog": ("allocates", "leaves a child"),
    "flooder": ("hellos",),
    "sleeper": ("hangs deaf", "closes"),
    "babbler": ("long", "deep", "no UTF-8", "prints"),
    "cheat": ("is nearly legal", "stranger"),
}
"""How each misbehaves, in every game in one of these ways."""
_KEYS: Mapping[str, Any] = {
    "seed": 7,
    "options": {"target_score": 2},
    "limits": {"move": "2s", "game": None, "start": "60s", "memory": "150MB"},
}
_A_FINDING = 1  # bots are withdrawn


@dataclass(frozen=True)
class Survived:
    """What one tournament came to."""

    games: int
    kinds: Mapping[str, Counter[str]]
    """Games that each bot lost by faults, by kind."""
    wrong: Sequence[str]
    """What should not have been."""


def survived(level: str, boards: int, withdraw_after: int = 3) -> Survived:
    """Play both tournaments and compare them; so many faults are a hostile bot's last."""
    wrong: list[str] = []
    keys = {"isolation": level, "boards": boards, "faults": {"withdraw_after": withdraw_after}}
    alone, _ = _played(keys, {}, wrong)
    beside, kinds = _played(keys, HOSTILE, wrong)
    if _honest_lines(alone) != alone:
        wrong.append("there are others in the tournament of the honest bots")
    if (kept := _honest_lines(beside)) != alone:
        wrong.append(f"{len(kept)} lines of the honest bots beside the others, not {len(alone)}")
        wrong += sorted(set(kept).symmetric_difference(alone))[:4]
    for bot, found in kinds.items():
        allowed = {WAYS[way] for way in HOSTILE.get(bot, ())} - {None}
        if found.keys() - allowed:
            wrong.append(f"{bot} has {dict(found)}, not only {allowed}")
    wrong += [f"{bot} has lost nothing by a fault" for bot in HOSTILE if not kinds.get(bot)]
    return Survived(len(beside), kinds, wrong)


def _played(
    keys: Mapping[str, Any], hostile: Mapping[str, Sequence[str]], wrong: list[str]
) -> tuple[list[str], dict[str, Counter[str]]]:
    """Play to the end; return the lines of the export, and the faults of every bot."""
    bots: list[Any] = [{"name": name, "path": path} for name, path in _HONEST.items()]
    for name, ways in hostile.items():
        params = {"share": 1000, "ways": list(ways)}
        bots.insert(0, {"name": name, "path": str(_STORMY), "params": params})
    with playground() as ground:
        ground.configure(_KEYS, keys, {"bots": bots})
        done = ground.run("tournament", patience_s=PATIENCE_S + 30 * keys["boards"])
        if done.code != (_A_FINDING if hostile else 0):
            wrong.append(f"exit code {done.code}: {done.err}")
        wrong += ground.faults()
        wrong += _sockets(ground)
        lines = ground.run("export").out.splitlines()[:-1]
    kinds: dict[str, Counter[str]] = {}
    for line in lines:
        game = json.loads(line)
        if game["end"]["kind"] == "forfeit":
            bot = game["seats"][game["end"]["seat"]].partition("@")[0]
            kinds.setdefault(bot, Counter())[game["end"]["fault"]] += 1
    return lines, kinds


def _honest_lines(lines: Sequence[str]) -> list[str]:
    def is_honest(line: str) -> bool:
        return {seat.partition("@")[0] for seat in json.loads(line)["seats"]} <= _HONEST.keys()

    return [line for line in lines if is_honest(line)]


def _sockets(ground: Playground) -> Iterator[str]:
    mark = f"{ground.folder}/"
    for line in Path("/proc/net/unix").read_text().splitlines():
        if mark in line:
            yield f"a socket is left: {line}"


@click.command()
@click.option("--boards", default=20, show_default=True)
def main(boards: int) -> None:
    """Play BOARDS boards of each match at each level; exit with 1 if anything was hurt."""
    failures = 0
    for level in LEVELS:
        began_s = time.monotonic()
        found = survived(level, boards)
        failures += len(found.wrong)
        for one in found.wrong:
            click.echo(one)
        lost = "; ".join(
            f"{bot} {', '.join(f'{number} {kind}' for kind, number in sorted(kinds.items()))}"
            for bot, kinds in sorted(found.kinds.items())
        )
        took_s = time.monotonic() - began_s
        click.echo(f"{level}: {found.games} games, {took_s:.0f} s; lost by faults: {lost}")
    click.echo(f"{failures} things wrong")
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
