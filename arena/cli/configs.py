"""`arena config`: looking at a config without running it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from arena.cli.output import print_json
from arena.text import count

if TYPE_CHECKING:
    from arena.tournament.config import Config


@click.group(name="config")
def config_group() -> None:
    """Look at a config without running it."""


@config_group.command()
@click.argument("path", metavar="CONFIG")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
def check(path: str, as_json: bool) -> None:
    """Check CONFIG and say all that is wrong with it."""
    from arena.tournament.config import load_config

    found = load_config(path)
    found.require_field()
    matches, games = size(found)
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
        click.echo(f"{path}: ok: {plan(found)} of {found.variant}")


@config_group.command()
def schema() -> None:
    """Print the JSON Schema of a config, for editors."""
    from arena.tournament.config_schema import config_schema

    click.echo(json.dumps(config_schema(), indent=2))


def plan(config: Config) -> str:
    """Say what is to be played: ``2 bots, 1 match x 3 boards = 6 games``."""
    matches, games = size(config)
    each = f"{count(matches, 'match', 'matches')} x {count(config.boards, 'board')}"
    return f"{count(len(config.bots), 'bot')}, {each} = {count(games, 'game')}"


def size(config: Config) -> tuple[int, int]:
    """Return the number of matches and of games."""
    from arena.tournament.schedule import number_of_games, number_of_matches

    bots = len(config.bots)
    return number_of_matches(bots), number_of_games(bots, config.boards)
