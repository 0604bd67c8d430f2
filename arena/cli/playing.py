"""`arena play`: a person against a bot, in the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import click

from arena.cli.output import Output, examples
from arena.cli.signals import ended_by_signals

if TYPE_CHECKING:
    from arena.tools.play.saved import Saved


def _options(
    _context: click.Context, _parameter: click.Parameter, values: Sequence[str]
) -> dict[str, Any]:
    """Return options of the variant by key; a value is JSON if it looks like it, else text."""
    import json

    found: dict[str, Any] = {}
    for value in values:
        key, equals, text = value.partition("=")
        if not (key and equals):
            raise click.BadParameter(f"{value!r} is not of the form KEY=VALUE.")
        found[key] = text
        with suppress(ValueError):
            found[key] = json.loads(text)
    return found


@click.command(
    epilog=examples(
        "arena play bots/rules_bot.py",
        "arena play --seat 1 --option target_score=3 bots/rules_bot.py",
        "arena play --hints bots/rules_bot.py bots/random_bot.py",
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
@click.option("--hints", metavar="BOT", type=click.Path(), help="Who gives hints.  [default: BOT]")
@click.option(
    "--record", metavar="FILE", type=click.Path(), help="Add the game to FILE at its end."
)
@click.option("--continue", "file", metavar="FILE", type=click.Path(), help="Go on with a game.")
@click.pass_obj
def play(
    output: Output,
    bot: str | None,
    seat: str | None,
    seed: str | None,
    options: dict[str, Any],
    hints: str | None,
    record: str | None,
    file: str | None,
) -> int:
    """Play against a bot yourself.

    BOT is a bot as `arena match` takes it. Rules, referee and its limits are those of a tournament;
    you have no clock. You are shown your hand and what you
    may do, and answer by a number, a card (JD) or a word (pass); the beginning of one will do. ?
    explains the rules of the moment, h asks a bot what it would do, u takes your last decision
    back, s saves the game and q leaves it; it can be continued then.

    Lines are read from stdin, which need not be a terminal. What --record writes can be read by
    `arena verify`. The exit code is 1 if the bot lost the game by a fault.
    """
    from pathlib import Path

    from arena.cli.sitting import Place, Sitting
    from arena.tools.play.opponent import opponents
    from arena.tools.play.saved import check_record

    game = _begun(bot, seat, seed, options) if file is None else _saved(file, seat, seed, options)
    path, adviser = bot or game.bot, hints or (game.hints if bot is None else None)
    target = None if record is None else Path(record)
    if target is not None:
        check_record(target)
    with ended_by_signals(), opponents(path, adviser, game.seat) as (opponent, advice):
        course = game.course(opponent.spec.name)
        opponent.start()
        place = Place(path, adviser, None if file is None else Path(file), target)
        return Sitting(output, course, opponent, advice, place).play()


def _begun(bot: str | None, seat: str | None, seed: str | None, options: dict[str, Any]) -> Saved:
    """Return a game of which nothing was played."""
    from arena.tools.play.saved import new

    if bot is None:
        raise click.UsageError("give a BOT to play against, or a saved game by --continue")
    return new(bot, seat=int(seat or 0), seed=seed, options=options)


def _saved(file: str, seat: str | None, seed: str | None, options: dict[str, Any]) -> Saved:
    from pathlib import Path

    from arena.tools.play.saved import read

    if seat is not None or seed is not None or options:
        raise click.UsageError("--continue goes without --seat, --seed and --option")
    return read(Path(file))
