"""Commands that run bots: `tournament`, `submit`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from arena.cli.output import Output, examples, shown
from arena.cli.signals import ended_by_signals
from arena.text import visible

if TYPE_CHECKING:
    from pathlib import Path

    from arena.report.standings import Standings
    from arena.runtime.executor import BotSpec
    from arena.tournament.config import Config


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


@click.command(
    epilog=examples(
        "arena submit my_bot.py --to configs/league.yaml",
        "arena submit --play my_bot.py --to configs/league.yaml",
    )
)
@click.argument("bot", metavar="BOT", type=click.Path())
@click.option("--to", "path", metavar="CONFIG", required=True, help="The tournament to enter.")
@click.option("--play", "plays", is_flag=True, help="Play its games at once and say its rank.")
@click.pass_obj
def submit(output: Output, bot: str, path: str, plays: bool) -> int:
    """Enter BOT in a tournament.

    BOT is a .py file, or a folder with a bot.py or a bot.yaml. At the config's level of isolation
    it must play one game and pass a short `arena check`; then it is copied into the config's
    submissions folder and takes part from the next run on, in place of an earlier version.

    With --play that run begins at once, as by `arena tournament CONFIG`, and tells its rank.
    """
    from pathlib import Path

    from arena.tools.check.fitness import require_fit
    from arena.tournament.config import load_config
    from arena.tournament.submit import submit as take_in

    config = load_config(path)

    def fit(spec: BotSpec, level: str) -> None:
        require_fit(spec, bot, config, path, level=level, command=output.command("check"))

    with ended_by_signals():
        place = take_in(config, Path(bot), output.notice, fit)
    click.echo(f"{visible(bot)} is in: {shown(place)}")
    if plays:
        return _rank(load_config(path), place, path, output)
    output.notice(f"To rank it:  {output.command('tournament', path)}")
    return 0


def _rank(config: Config, place: Path, path: str, output: Output) -> int:
    """Play what is missing and tell where the bot at a place stands; return the exit code."""
    from arena.cli.run import Run
    from arena.cli.tables import show_standings
    from arena.report.place import place as place_of

    config.require_field()
    (name,) = [bot.name for bot in config.bots if bot.path == str(place)]

    def show(standings: Standings) -> None:
        show_standings(standings, output)
        click.echo(place_of(standings, name))

    return Run(config, output, show=show).play(output.command("tournament", path))
