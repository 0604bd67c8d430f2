"""Commands that look after tournaments: `list`, `stop`, `reset`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from arena.cli.output import Output, examples, print_json, shown
from arena.errors import UserError
from arena.text import count, visible

if TYPE_CHECKING:
    from arena.tools.counted import Totals
    from arena.tools.reset import Doomed


_STEP = 1_000
_WHOLE_FROM = 10


@click.command(name="list", epilog=examples("arena list", "arena list --json ~/contests"))
@click.argument("folder", default=".", type=click.Path(exists=True, file_okay=False))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_obj
def list_tournaments(output: Output, folder: str, as_json: bool) -> None:
    """List the tournaments in a folder, with how each stands.

    Listed is what has results in FOLDER, which is this one if none is given, or further below, and
    what a config there has elsewhere. Looking changes nothing and goes on beside runs.
    """
    from pathlib import Path

    from arena.cli.listed import table
    from arena.tools import listing

    found = listing.list_tournaments(Path(folder))
    if as_json:
        print_json(found)
    elif found.tournaments:
        click.echo(table(found.tournaments))
    else:
        output.notice(f"no tournament has results in {shown(Path(folder))} or below")


@click.command(
    epilog=examples("arena stop configs/league.yaml", "arena stop --now configs/league.yaml")
)
@click.argument("path", metavar="CONFIG")
@click.option("--now", is_flag=True, help="Drop running games: they are played again later.")
@click.pass_obj
def stop(output: Output, path: str, now: bool) -> None:
    """Stop the run of a tournament, wherever it was started here.

    As with Ctrl-C in its own terminal, running games are played to their end, for as long as
    run.finish of the config allows. Waits until the run has ended; Ctrl-C only ends the waiting.
    Nothing is lost, and the same run can be continued.
    """
    from arena.tools import stop as tool
    from arena.tournament.config import load_config

    config = load_config(path, playing=False)

    def tell(place: str, left_s: float) -> None:
        stored = _progress(tool.totals_now(config))
        output.notice(f"waiting for {place}, {left_s:.0f} s at most: {stored}")

    if not tool.stop(config, now=now, tell=tell):
        output.notice(f"{config.name} is not running")
        return
    totals = tool.totals_now(config)
    output.notice(f"saved, {_progress(totals)}.")
    again = "rankings" if totals is not None and totals.complete else "tournament"
    what = "To see the table" if again == "rankings" else "To continue"
    output.notice(f"{what}:  {output.command(again, path)}")


def _progress(totals: Totals | None) -> str:
    return "no game yet" if totals is None else f"{totals.settled} of {totals.scheduled} games"


@click.command(
    epilog=examples("arena reset configs/quick.yaml", "arena reset --yes configs/quick.yaml")
)
@click.argument("path", metavar="CONFIG")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.pass_obj
def reset(output: Output, path: str, yes: bool) -> None:
    """Delete the results of a tournament for good.

    That is its games, its secret, the logs and the copies of the bots; the config and the bots
    themselves are not touched, nor is what else there is in the results folder. To begin anew and
    keep the old results, use `arena tournament --fresh` instead.
    """
    from pathlib import Path

    from arena.tools import reset as tool
    from arena.tournament.config import load_config

    config = load_config(path, playing=False)
    folder = Path(config.results)

    def agree(doomed: Doomed) -> None:
        games = "games that cannot be read" if doomed.games is None else count(doomed.games, "game")
        what = f"{games} of {config.name}, {show_size(doomed.size)} in {shown(folder)}"
        if yes:
            return
        if not (sys.stdin.isatty() and sys.stderr.isatty()):
            raise UserError(f"this would delete {what}; add --yes if it shall")
        if doomed.why:
            output.notice(visible(doomed.why))
        output.ask(f"Delete {what}, for good?", otherwise="nothing was deleted")

    left = tool.reset(config, agree)
    if left is None:
        output.notice(f"{config.name} has no results: there is nothing to delete")
        return
    output.notice(f"deleted: the results of {config.name} in {shown(folder)}")
    for one in left:
        output.notice(f"left, because the arena did not make it: {visible(one)}")


def show_size(size: int) -> str:
    """Show a number of bytes, such as ``1.2 MB`` or ``340 kB``."""
    amount, unit = size / _STEP, "kB"
    for larger in ("MB", "GB", "TB"):
        if amount < _STEP:
            break
        amount, unit = amount / _STEP, larger
    return f"{amount:.0f} {unit}" if amount >= _WHOLE_FROM else f"{amount:.1f} {unit}"
