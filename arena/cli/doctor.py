"""`arena doctor`: whether this machine keeps what the levels of isolation promise."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from arena.cli.output import Output, examples, print_json
from arena.errors import SurroundingsError
from arena.text import visible, visible_lines

if TYPE_CHECKING:
    from arena.tools.doctor import Diagnosis, Level, Machine

_LEVELS = ("none", "process", "sandbox")
_GB = 1_000_000_000


@click.command(epilog=examples("arena doctor", "arena doctor --level sandbox"))
@click.option("--level", type=click.Choice(_LEVELS), help="Attack this level only.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_obj
def doctor(output: Output, level: str | None, as_json: bool) -> int:
    """Look whether bots can do harm on this machine.

    The levels of isolation are attacked as by a bot, and what the machine has is shown. Each attack
    is also made without any protection, to see that it is one here. held: it failed as the level
    promises. OPEN: it succeeded although the level promises that it cannot; then the exit code is
    4. not promised: the level does not speak of it, or it could not be attacked here.

    A level that is not to be had here is no broken promise unless it is asked for by --level.
    """
    from arena.tools import doctor as tool

    found = tool.diagnose(level)
    if as_json:
        print_json(found)
    else:
        click.echo("\n".join(_lines(found)))
    for one in found.levels:
        for finding in one.findings:
            if finding.verdict == "OPEN":
                output.notice(f"isolation {one.name} is broken here: a bot can {finding.attack}")
    return SurroundingsError.exit_code if tool.is_ill(found, level) else 0


def _lines(found: Diagnosis) -> Iterator[str]:
    yield from _machine(found.machine)
    for level in found.levels:
        yield ""
        yield from _level(level)
    if len(found.levels) > 1:
        yield ""
        yield f"isolation auto takes: {found.auto or 'nothing, as no level is sound'}"


def _machine(machine: Machine) -> Iterator[str]:
    user = "root" if machine.root else "an ordinary user"
    yield f"arena {machine.arena}, Python {machine.python}, {visible(machine.system)}, as {user}"
    load = " ".join(f"{load:.2f}" for load in machine.load)
    yield f"cores: {machine.cores} usable, load {load}"
    seen = "seen" if machine.clock.shows_suspensions else "not seen"
    yield f"clock: steps of {machine.clock.resolution_ns} ns, suspensions are {seen}"
    for disk in machine.disks:
        room = f"{disk.free_bytes / _GB:.1f} of {disk.total_bytes / _GB:.1f} GB free"
        yield f"{disk.keeps}: {room} in {visible(disk.path)}"
    yield "libraries: " + ", ".join(f"{name} {one}" for name, one in machine.libraries.items())
    tools = (f"{name} {one or 'is not there'}" for name, one in machine.tools.items())
    yield "tools: " + ", ".join(tools)


def _level(level: Level) -> Iterator[str]:
    from tabulate import tabulate

    yield f"isolation {level.name}"
    if level.problem is not None:
        yield visible_lines(level.problem)
        return
    rows = [(one.attack, one.verdict, visible(one.text)) for one in level.findings]
    yield tabulate(rows, headers=("attack", "", "what was found"), disable_numparse=True)
