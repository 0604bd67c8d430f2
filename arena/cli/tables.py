"""Standings on their way to the terminal. Loads numpy and tabulate: import it late."""

from __future__ import annotations

import click

from arena.cli.output import print_json
from arena.report.standings import Standings, rankings, table


def show_standings(standings: Standings, *, as_json: bool = False) -> None:
    """Print the table, or the JSON object, to stdout."""
    if as_json:
        print_json(rankings(standings))
        return
    click.echo(table(standings))
