"""`arena config`: looking at a config without running it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from arena.cli.output import examples, print_json
from arena.errors import ConfigError, UserError
from arena.text import count, visible

if TYPE_CHECKING:
    from arena.tournament.config import Config


@click.group(name="config")
def config_group() -> None:
    """Look at a config without running it."""


def _check(**found: object) -> dict[str, object]:
    """Return what ``config check --json`` prints, whatever came out.

    `number` is that of all problems; of very many only the first are listed. A problem has no
    place if the file could not be read.
    """
    nothing = {"tournament": None, "bots": (), "matches": None, "games": None}
    return {"schema": "arena.config-check/1", **nothing, "problems": (), "number": 0, **found}


@config_group.command(
    epilog=examples(
        "arena config check configs/league.yaml",
        "arena config check --json configs/league.yaml",
    )
)
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
        print_json(_check(tournament=found.name, bots=bots, matches=matches, games=games))
    else:
        click.echo(f"{visible(path)}: ok: {plan(found)} of {found.variant}")
    return 0


def _wrong(error: UserError) -> dict[str, object]:
    if not isinstance(error, ConfigError):
        return _check(problems=[_problem(None, None, "", str(error))], number=1)
    problems = [
        _problem(one.line, one.column, one.key, one.text, one.file or None)
        for one in error.problems
    ]
    return _check(problems=problems, number=error.number)


def _problem(
    line: int | None, column: int | None, key: str, text: str, file: str | None = None
) -> dict[str, object]:
    return {"file": file, "line": line, "column": column, "key": key, "text": text}


@config_group.command(epilog=examples("arena config show configs/league.yaml"))
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


@config_group.command(epilog=examples("arena config schema > configs/schema.json"))
def schema() -> None:
    """Print the JSON Schema of a config, for editors."""
    import json

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
