"""Commands to begin with: `new-bot`, `init`."""

from __future__ import annotations

import click

from arena import templates
from arena.cli.output import Output, examples, shown

_FIRST = next(iter(templates.BOTS))


@click.command(
    name="new-bot",
    epilog=examples(
        "arena new-bot my_bot",
        "arena new-bot my_bot --template starter --dir bots",
    ),
)
@click.argument("name", metavar="NAME")
@click.option(
    "-o", "--dir", "folder", metavar="DIR", default=".", help="Where to write it.  [default: .]"
)
@click.option(
    "--template",
    type=click.Choice(list(templates.BOTS)),
    default=_FIRST,
    show_default=True,
    help="; ".join(f"{name}: {what}" for name, what in templates.BOTS.items()) + ".",
)
@click.pass_obj
def new_bot(output: Output, name: str, folder: str, template: str) -> None:
    """Write a bot that plays, to go on from.

    It is one file, NAME.py, and NAME is what the bot is called. A file that is there already is
    left alone.
    """
    from pathlib import Path

    from arena.tools import starting

    file = starting.new_bot(name, Path(folder), template)
    click.echo(f"written: {shown(file)}")
    output.notice(f"To check it:    {output.command('check', shown(file))}")
    output.notice(f"To measure it:  {output.command('match', shown(file), 'ANOTHER_BOT')}")
    output.notice(f"To enter it:    {output.command('submit', shown(file), '--to', 'CONFIG')}")


@click.command(epilog=examples("arena init contest"))
@click.argument("folder", metavar="DIR", type=click.Path())
@click.pass_obj
def init(output: Output, folder: str) -> None:
    """Make a folder with a tournament that runs.

    DIR gets a config and a bot from each template of `arena new-bot`. It must be empty, or not be
    there yet.
    """
    from pathlib import Path

    from arena.tools import starting

    config = starting.init(Path(folder))
    bots = config.parent / "bots"
    click.echo(f"written: {shown(config)}")
    output.notice(f"To play it:    {output.command('tournament', shown(config))}")
    output.notice(f"To add a bot:  {output.command('new-bot', 'NAME', '--dir', shown(bots))}")
