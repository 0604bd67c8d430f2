"""`arena play`: a person against a bot, in the terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import click

from arena.cli.output import Output, examples
from arena.cli.signals import ended_by_signals


def _options(
    _context: click.Context, _parameter: click.Parameter, values: Sequence[str]
) -> dict[str, Any]:
    """Return options of the variant by key."""
    found: dict[str, Any] = {}
    for value in values:
        key, equals, text = value.partition("=")
        if not (key and equals):
            raise click.BadParameter(f"{value!r} is not of the form KEY=VALUE.")
        found[key] = _value(text)
    return found


def _value(text: str) -> object:
    """Return a number, truth or word in JSON as what it is, and all else as text.

    No option is a list or a mapping.
    """
    import json

    with suppress(ValueError, RecursionError):
        value: object = json.loads(text)
        return text if isinstance(value, list | dict) else value
    return text


@click.command(
    epilog=examples(
        "arena play bots/rules_bot.py",
        "arena play --seat 1 --option target_score=3 bots/rules_bot.py",
        "arena play --config configs/league.yaml --hints bots/rules_bot.py bots/random_bot.py",
        "arena play --continue rules_bot.play.json",
    )
)
@click.argument("bot", metavar="[BOT]", required=False, type=click.Path())
@click.option("--seat", type=click.Choice(["0", "1"]), help="Where you sit.  [default: 0]")
@click.option("--seed", metavar="TEXT", help="What all cards come from.  [default: drawn]")
@click.option(
    "--option",
    "options",
    metavar="KEY=VALUE",
    multiple=True,
    callback=_options,
    help="An option of the game, as in a config; may be given several times.",
)
@click.option("--config", metavar="CONFIG", help="Play by this tournament's options and limits.")
@click.option("--hints", metavar="BOT", type=click.Path(), help="Who gives hints.  [default: BOT]")
@click.option(
    "--record", metavar="FILE", type=click.Path(), help="Add the game to FILE at its end."
)
@click.option("--continue", "file", metavar="FILE", type=click.Path(), help="Go on with a game.")
@click.pass_obj
def play(
    output: Output,
    /,
    *,
    bot: str | None,
    seat: str | None,
    seed: str | None,
    options: dict[str, Any],
    config: str | None,
    hints: str | None,
    record: str | None,
    file: str | None,
) -> int:
    """Play against a bot yourself.

    BOT is a bot as `arena match` takes it. Rules, referee and its limits are those of a tournament;
    you have no clock. You are shown your hand and what you may do, and answer by a number, a card
    (JD) or a word (pass); the beginning of one will do. ? explains the rules of the moment, h asks
    a bot what it would do, u takes your last decision back, s saves the game and q leaves it; it
    can be continued then.

    Lines are read from stdin, which need not be a terminal. What --record writes can be read by
    `arena verify`. The exit code is 1 if the bot lost the game by a fault.
    """
    from pathlib import Path

    from arena.cli.sitting import Place, Sitting
    from arena.tools.play.opponent import opponents
    from arena.tools.play.saved import check_record, continued, new

    place = Place(*(None if one is None else Path(one) for one in (file, record)))
    if place.record is not None:
        check_record(place.record)
    given = {"--config": config, "--seat": seat, "--seed": seed, "--option": options}
    if file is None:
        if bot is None:
            raise click.UsageError("give a BOT to play against, or a saved game by --continue")
        game = new(bot, hints, config, seat=int(seat or 0), seed=seed, options=options)
    else:
        _refuse(given)
        game = continued(Path(file), bot, hints)
    with ended_by_signals(), opponents(game, output.notice) as (opponent, adviser):
        course = game.course(opponent.spec.name, opponent.spec.limits)
        opponent.start()
        return Sitting(output, game, course, opponent, adviser, place).play()


def _refuse(given: Mapping[str, object]) -> None:
    """Refuse what a saved game has already."""
    for option, value in given.items():
        if value:
            raise click.UsageError(
                f"{option} is for a new game; --continue goes on with an old one"
            )
