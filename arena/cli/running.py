"""Commands that run bots: `tournament`, `submit`."""

from __future__ import annotations

import click

from arena.cli.output import Output, examples, shown
from arena.cli.signals import ended_by_signals
from arena.text import visible


@click.command(
    epilog=examples(
        "arena tournament configs/quick.yaml",
        "arena tournament --fresh configs/quick.yaml",
        "arena tournament --json configs/quick.yaml > events.jsonl",
    )
)
@click.argument("path", metavar="CONFIG")
@click.option("--fresh", is_flag=True, help="Begin anew; the old results are kept elsewhere.")
@click.option("--json", "as_json", is_flag=True, help="Print events as JSON Lines, no table.")
@click.pass_obj
def tournament(output: Output, path: str, fresh: bool, as_json: bool) -> int:
    """Play what is left of a tournament and print its table.

    Run it again to go on after an interruption, or after a bot was added or boards was raised.
    Ctrl-C lets running games finish; a second one stops at once.
    """
    from arena.cli.run import Run
    from arena.tools.reset import set_aside
    from arena.tournament.config import load_config

    config = load_config(path)
    config.require_field()
    place = set_aside(config) if fresh else None
    if place is not None:
        output.notice(f"the old results are kept in {shown(place)}")
    return Run(config, output, as_json=as_json).play(output.command("tournament", path))


@click.command(epilog=examples("arena submit my_bot.py --to configs/league.yaml"))
@click.argument("bot", metavar="BOT", type=click.Path())
@click.option("--to", "path", metavar="CONFIG", required=True, help="The tournament to enter.")
@click.pass_obj
def submit(output: Output, bot: str, path: str) -> None:
    """Enter BOT in a tournament.

    BOT is a .py file, or a folder with a bot.py or a bot.yaml. It must start and play one game, at
    the config's level of isolation; then it is copied into the config's submissions folder and
    takes part from the next run on.
    """
    from pathlib import Path

    from arena.tournament.config import load_config
    from arena.tournament.submit import submit as take_in

    with ended_by_signals():
        place = take_in(load_config(path), Path(bot), output.notice)
    click.echo(f"{visible(bot)} is in: {shown(place)}")
    output.notice(f"To rank it:  {output.command('tournament', path)}")
