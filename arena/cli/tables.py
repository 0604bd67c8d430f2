"""Standings on their way to the terminal. Loads numpy and tabulate: import it late."""

from __future__ import annotations

from collections.abc import Iterator

import click

from arena.cli.output import Output, print_json
from arena.report.rankings import rankings
from arena.report.remarks import notices, precision, seat_remark, verdict
from arena.report.standings import Standings
from arena.report.table import differences as differences_table
from arena.report.table import table


def show_standings(
    standings: Standings, output: Output, *, as_json: bool = False, differences: bool = False
) -> None:
    """Print a table, or the JSON object, to stdout; what a table cannot say to stderr."""
    if as_json:
        print_json(rankings(standings))
        return
    click.echo(differences_table(standings.ratings) if differences else table(standings))
    show_remarks(standings, output)


def show_remarks(standings: Standings, output: Output) -> None:
    """Print to stderr what the table cannot say."""
    for remark in _remarks(standings):
        output.notice(remark)


def _remarks(standings: Standings) -> Iterator[str]:
    progress = standings.progress
    if progress.complete is False:
        scheduled = "" if progress.scheduled is None else f" of {progress.scheduled}"
        yield f"interim: {progress.games}{scheduled} games"
    if progress.void:
        yield f"void for good, so not counted: {progress.void} of {progress.scheduled} games"
    yield verdict(standings)
    if said := precision(standings):
        yield said
    yield from notices(standings)
    yield from filter(None, (seat_remark(standings), standings.circumstances.remark))
