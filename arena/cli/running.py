"""Commands that run bots: `tournament`, `submit`."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

import click

from arena.cli.configs import plan
from arena.cli.output import Output
from arena.text import count

if TYPE_CHECKING:
    from arena.report.progress import RunProgress
    from arena.report.standings import Standings
    from arena.tournament.config import Config
    from arena.tournament.runner import RunResult
    from arena.tournament.stopping import Stopping

_FOUND = 1
_SIGNAL_BASE = 128


@click.command()
@click.argument("path", metavar="CONFIG")
@click.pass_obj
def tournament(output: Output, path: str) -> int:
    """Play what is left of a tournament and print its table.

    Run it again to go on after an interruption, or after a bot was added or boards was raised.
    Ctrl-C lets running games finish; a second one stops at once.
    """
    from arena.report.progress import RunProgress
    from arena.tournament.config import load_config
    from arena.tournament.stopping import Stopping

    config = load_config(path)
    config.require_field()
    stopping = Stopping()
    progress = RunProgress(quiet=output.quiet, colored=output.colored)
    with progress, _asked_by_signals(stopping):
        result, standings = _play(config, progress, stopping)
    if standings is not None:
        return _show_end(config, output, result, standings)
    output.notice(f"saved, {result.settled} of {result.total} games.")
    output.notice(f"To continue:  {output.command('tournament', path)}")
    return _SIGNAL_BASE + (result.signal or 0)


def _play(
    config: Config, progress: RunProgress, stopping: Stopping
) -> tuple[RunResult, Standings | None]:
    from arena.runtime.executor import LocalExecutor
    from arena.store.store import Store
    from arena.tools.rankings import current_standings
    from arena.tournament.entering import enter
    from arena.tournament.identity import commitment
    from arena.tournament.runner import Runner

    workers = config.run.workers or _cores()
    with Store.open(Path(config.results)) as store:
        field = enter(config, store)
        progress.notice(f"{config.name}: {plan(config)}, {count(workers, 'worker')}")
        progress.notice(f"cards committed: {commitment(field.tournament.secret)}")
        for change in field.changes:
            progress.notice(change)
        with LocalExecutor(workers) as executor:
            result = Runner(
                config,
                field,
                store,
                executor,
                workers=workers,
                listener=progress,
                stopping=stopping,
            ).run()
        return result, None if result.signal is not None else current_standings(config, store)


def _show_end(config: Config, output: Output, result: RunResult, standings: Standings) -> int:
    from arena.cli.tables import show_standings
    from arena.referee.record import name_of

    show_standings(standings, output)
    if result.withdrawn:
        output.notice(f"left out of this run: {', '.join(map(name_of, sorted(result.withdrawn)))}")
    output.notice(f"results: {_shown(Path(config.results))}")
    return _FOUND if result.withdrawn or standings.progress.void else 0


def _shown(path: Path) -> str:
    """Show a path as short as it is from here."""
    relative = os.path.relpath(path)
    return str(path) if relative.startswith("..") else relative


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def _asked_by_signals(stopping: Stopping) -> Iterator[None]:
    """Let the signals that end a program ask for a stop instead."""

    def ask(number: int, _: FrameType | None) -> None:
        stopping.request(number)

    caught = [signal.SIGINT, signal.SIGTERM]
    if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:  # as it is under nohup
        caught.append(signal.SIGHUP)
    before = {number: signal.signal(number, ask) for number in caught}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@click.command()
@click.argument("bot", metavar="BOT", type=click.Path(path_type=Path))
@click.option("--to", "path", metavar="CONFIG", required=True, help="The tournament to enter.")
@click.pass_obj
def submit(output: Output, bot: Path, path: str) -> None:
    """Enter BOT in a tournament.

    BOT is a .py file, or a folder with a bot.py. It must start and play one game; then it is
    copied into the config's submissions folder and takes part from the next run on.
    """
    from arena.tournament.config import load_config
    from arena.tournament.submit import submit as take_in

    place = take_in(load_config(path), bot, output.notice)
    click.echo(f"{bot} is in: {_shown(place)}")
    output.notice(f"To rank it:  {output.command('tournament', path)}")
