"""`arena config`: looking at a config without running it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click
import msgspec

from arena.cli.output import print_json
from arena.errors import ConfigError, UserError
from arena.text import count, visible

if TYPE_CHECKING:
    from arena.tournament.config import Config


@click.group(name="config")
def config_group() -> None:
    """Look at a config without running it."""


class _Problem(msgspec.Struct, frozen=True):
    """One error; without a place if the file could not be read."""

    line: int | None
    column: int | None
    key: str
    text: str


class _Check(msgspec.Struct, frozen=True):
    """What ``config check --json`` prints, whatever came out."""

    schema: str = "arena.config-check/1"
    tournament: str | None = None
    bots: tuple[str, ...] = ()
    matches: int | None = None
    games: int | None = None
    problems: tuple[_Problem, ...] = ()
    number: int = 0
    """Of all problems; of very many only the first are listed."""


@config_group.command()
@click.argument("path", metavar="CONFIG")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
def check(path: str, as_json: bool) -> int:
    """Check CONFIG and say all that is wrong with it."""
    from arena.tournament.config import load_config

    try:
        found = load_config(path)
        found.require_field()
    except UserError as error:
        if not as_json:
            raise
        print_json(_wrong(error))
        return error.exit_code
    if as_json:
        bots = tuple(bot.name for bot in found.bots)
        matches, games = size(found)
        print_json(_Check(tournament=found.name, bots=bots, matches=matches, games=games))
    else:
        click.echo(f"{visible(path)}: ok: {plan(found)} of {found.variant}")
    return 0


def _wrong(error: UserError) -> _Check:
    if not isinstance(error, ConfigError):
        return _Check(problems=(_Problem(None, None, "", str(error)),), number=1)
    problems = (_Problem(one.line, one.column, one.key, one.text) for one in error.problems)
    return _Check(problems=tuple(problems), number=error.number)


@config_group.command()
@click.argument("path", metavar="CONFIG")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
def show(path: str, as_json: bool) -> None:
    """Print CONFIG as arena understands it.

    Every key is there with its value, paths are absolute, globs are expanded. It is a config
    again, and means the same.
    """
    from arena.tournament.config import read_config
    from arena.tournament.config.document import show_key
    from arena.tournament.config.show import show_yaml, understand

    written = read_config(path)
    found = understand(written)
    if not as_json:
        click.echo(show_yaml(found), nl=False)
        return
    print_json(
        {
            "schema": "arena.config-show/1",
            "path": written.config.path,
            "results": written.config.results,
            "config": found.config,
            "defaults": sorted(map(show_key, found.defaults)),
            "submitted": [{"name": bot.name, "path": bot.path} for bot in found.submitted],
        }
    )


@config_group.command()
def schema() -> None:
    """Print the JSON Schema of a config, for editors."""
    from arena.tournament.config.schema import config_schema

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
