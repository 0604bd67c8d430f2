"""Commands that say which of two bots is better: `compare`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from arena.cli.output import Output, examples, print_json

if TYPE_CHECKING:
    from arena.tournament.config import Config


@click.command(
    epilog=examples(
        "arena compare configs/league.yaml rules_bot random_bot",
        "arena compare configs/league.yaml monte@1 monte@2",
    )
)
@click.argument("path", metavar="CONFIG")
@click.argument("a", metavar="A")
@click.argument("b", metavar="B")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_obj
def compare(output: Output, path: str, a: str, b: str, as_json: bool) -> None:
    """Say which of two bots is better, and how surely.

    A and B are names of bots, or versions such as monte@1: so a bot can be compared with what it
    was before. All figures are A minus B.
    """
    from arena.tournament.config import load_config

    show_comparison(load_config(path, playing=False), a, b, output, as_json=as_json)


def show_comparison(config: Config, a: str, b: str, output: Output, *, as_json: bool) -> None:
    """Print how two bots of a tournament compare, what a person must know of it to stderr."""
    from pathlib import Path

    from arena.report.comparison import compared, text, verdict
    from arena.store.reader import Reader
    from arena.tools import compare as tool

    with Reader.open(Path(config.results)) as reader:
        found = tool.compare(config, reader, a, b)
    if as_json:
        print_json(compared(found))
        return
    click.echo(text(found))
    click.echo(verdict(found))
    if not found.complete:
        output.notice("interim: the tournament is not complete")
    for notice in found.notices:
        output.notice(notice)
