"""`arena config`: looking at a config without running it."""

from __future__ import annotations

import click

from arena.cli.output import print_json


@click.group()
def config() -> None:
    """Look at a config without running it."""


@config.command()
@click.argument("path", metavar="CONFIG")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
def check(path: str, as_json: bool) -> None:
    """Check CONFIG and say all that is wrong with it."""
    from arena.tournament.config import load_config

    found = load_config(path)
    found.require_field()
    matches = len(found.bots) * (len(found.bots) - 1) // 2
    games = matches * found.boards * 2
    if as_json:
        print_json(
            {
                "schema": "arena.config-check/1",
                "tournament": found.name,
                "bots": [bot.name for bot in found.bots],
                "matches": matches,
                "games": games,
            }
        )
    else:
        bots = len(found.bots)
        click.echo(f"{path}: ok: {bots} bots, {matches} matches x {found.boards} boards")
        click.echo(f"{games} games of {found.variant}")
