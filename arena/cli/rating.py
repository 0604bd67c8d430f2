"""`arena rate`: the table of results that need not come from here."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import click

from arena.cli.output import Output, examples

_MOST_ELO = 1e6


class _Number(click.FloatRange):
    """A number in a range: neither infinite nor none."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        found: float = super().convert(value, param, ctx)
        if math.isnan(found):
            self.fail(f"{value!r} is not a number.", param, ctx)
        return found


_ELO = _Number(-_MOST_ELO, _MOST_ELO)


def _anchors(
    context: click.Context, parameter: click.Parameter, values: Sequence[str]
) -> dict[str, float]:
    """Return ratings by name; a name may hold a ``=``."""
    anchors: dict[str, float] = {}
    for value in values:
        name, _, elo = (part.strip() for part in value.rpartition("="))
        if not name:
            raise click.BadParameter(f"{value!r} is not of the form NAME=ELO.")
        if name in anchors:
            raise click.BadParameter(f"{name!r} is given twice.")
        anchors[name] = _ELO.convert(elo, parameter, context)
    return anchors


@click.command(
    epilog=examples(
        "arena rate games.csv",
        "arena rate --anchor old_bot=1000 games.csv",
        "arena export configs/quick.yaml | arena rate -",
    )
)
@click.argument("file", metavar="FILE")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, with all of it.")
@click.option(
    "--confidence",
    type=_Number(0.5, 0.999),
    default=0.95,
    show_default=True,
    help="How sure the intervals are.",
)
@click.option("--mean", type=_ELO, help="The mean of all ratings.  [default: 1500]")
@click.option(
    "--anchor",
    "anchors",
    metavar="NAME=ELO",
    multiple=True,
    callback=_anchors,
    help="Hold a bot's rating, in place of the mean; may be given several times.",
)
@click.option(
    "--prior",
    metavar="SD",
    type=_Number(1, 10_000),
    help="Believe beforehand that ratings differ by this standard deviation in Elo.",
)
@click.option("--differences", is_flag=True, help="Print the differences of each two bots instead.")
@click.pass_obj
def rate(
    output: Output,
    file: str,
    as_json: bool,
    confidence: float,
    mean: float | None,
    anchors: dict[str, float],
    prior: float | None,
    differences: bool,
) -> None:
    """Rate the bots in a file of results.

    FILE is what `arena export` printed, or CSV; - is stdin. The first line of CSV names the columns
    a, b and winner, in any order, and each other line is a game: two names, and which of them won,
    or draw. Games that are not independent, because the same cards were played from both sides,
    have the same text in a column board.
    """
    from arena.cli.tables import show_standings
    from arena.tools.rate import rate_file
    from arena.tournament.config import Rating

    if anchors and mean is not None:
        raise click.UsageError("give either --mean or --anchor, not both")
    if differences and as_json:
        raise click.UsageError("--json has the differences already")
    scale = Rating(1500 if mean is None else mean, confidence, anchors, prior)
    standings = rate_file(file, scale)
    show_standings(standings, output, as_json=as_json, differences=differences)
