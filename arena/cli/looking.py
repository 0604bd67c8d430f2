"""Commands that look into games: `replay`, `why`."""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from arena.cli.output import Output, examples, print_json
from arena.cli.signals import ended_by_signals
from arena.errors import UserError
from arena.text import visible

if TYPE_CHECKING:
    from arena.report.replay import Line
    from arena.tools.replay.games import PlayedGame

_EXPORTS = ".jsonl"
_QUITTING = (b"q", b"Q", b"\x04", b"")
"""Ctrl-D and the end of input too."""
_ESCAPE = b"\x1b"
_LONGEST_REST = 16
_REST_S = 0.05
"""How long what else a key sends may be on its way."""
_MOST_DEALS = 1_000
_FOUND = 1


@click.command(
    epilog=examples(
        "arena replay configs/quick.yaml random_bot:rules_bot/0/1",
        "arena replay configs/quick.yaml random_bot:rules_bot/0/1 --deal 2 --step",
        "arena replay quick.jsonl random_bot@1:rules_bot@1/0/1 --json",
        "arena replay configs/quick.yaml random_bot:rules_bot/0/1 --to bots/rules_bot.py",
    )
)
@click.argument("path", metavar="CONFIG")
@click.argument("game", metavar="GAME")
@click.option("--deal", metavar="N", type=click.IntRange(min=0), help="Only this deal, from 0.")
@click.option("--step", is_flag=True, help="Wait for a key before each action; q quits.")
@click.option("--to", "bot", metavar="BOT", help="Ask BOT the decisions of the game again.")
@click.option(
    "--seat",
    metavar="N",
    type=click.IntRange(0, 1),
    help="With --to: in whose place.  [default: the seat of the bot of that name]",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_obj
def replay(
    output: Output,
    path: str,
    game: str,
    deal: int | None,
    step: bool,
    bot: str | None,
    seat: int | None,
    as_json: bool,
) -> int:
    """Show a game that was played, deal by deal, in words and cards.

    CONFIG is a tournament, or a file that `arena export` printed (.jsonl). GAME is the id of a
    game, which is match/board/seating: a@1:b@1/12/0 is board 12 of a@1 and b@1, in the seating in
    which a@1 has seat 0. Versions may be left out (a:b/12/0), and if there is only one match all of
    it (12/0).

    With --to the decisions of one seat are put to a bot, which sees what the bot on that seat saw,
    with the same dice, and shown is each that it does not answer as in the game; then the exit code
    is 1. BOT is the path of a bot of your own, which has all the time and keeps the terminal, so
    breakpoint() works in it; or the name of a bot in the game, which is asked as it is now, but
    isolated and within its limits as in the tournament, as is any path among the submissions.
    """
    from arena.report.replay import lines
    from arena.tools.replay.told import told

    if step and (as_json or bot is not None):
        raise click.UsageError("--step goes without --json and --to")
    if bot is not None:
        return _ask(output, path, game, bot, seat, deal, as_json=as_json)
    if seat is not None:
        raise click.UsageError("--seat says in whose place a bot is asked: add --to BOT")
    found = told(_game(path, game), deal)
    if as_json:
        print_json(found)
    elif step and sys.stdin.isatty() and sys.stdout.isatty():
        output.notice("any key goes on, q quits")
        _step_through(lines(found))
    else:
        for line in lines(found):
            click.echo(line.text)
    return 0


def _ask(
    output: Output,
    path: str,
    game: str,
    bot: str,
    seat: int | None,
    deal: int | None,
    *,
    as_json: bool,
) -> int:
    """Put a game's decisions to a bot; return whether it answers any of them otherwise."""
    from pathlib import Path

    from arena.report.answers import lines, summed_up
    from arena.runtime.folders import working_folder
    from arena.store.reader import Reader
    from arena.tools.replay.asked import prepare
    from arena.tools.replay.feeding import answers
    from arena.tools.replay.games import stored_game
    from arena.tournament.config import load_config

    if path.endswith(_EXPORTS):
        raise UserError(f"{path}: an export does not tell a bot's dice; --to needs the config")
    config = load_config(path, playing=False)
    heard = []
    with ended_by_signals(), working_folder() as folder:
        with Reader.open(Path(config.results)) as reader:
            record, found = stored_game(config, reader, game)
            feed = prepare(
                config, reader, record, found, bot, folder, output.notice, seat=seat, deal=deal
            )
        for answer in answers(feed):
            heard.append(answer)
            if answer.verdict != "same" and not as_json:
                click.echo("\n".join((*lines(answer), "")))
    decisions = len(feed.moments())
    sat = found.seats[feed.seat]
    summary = summed_up(found.id, visible(bot), feed.seat, sat, decisions, tuple(heard))
    if as_json:
        print_json(summary)
    else:
        click.echo(f"{visible(bot)} in the place of {visible(sat)}: {summary.verdict}")
    return _FOUND if summary.differ else 0


def _game(path: str, game: str) -> PlayedGame:
    from pathlib import Path

    from arena.store.reader import Reader
    from arena.tools.replay.games import exported_game, stored_game
    from arena.tournament.config import load_config

    if path.endswith(_EXPORTS):
        return exported_game(Path(path), game)
    config = load_config(path, playing=False)
    with Reader.open(Path(config.results)) as reader:
        _, found = stored_game(config, reader, game)
    return found


def _step_through(lines: Iterable[Line]) -> None:
    """Print lines as they are asked for by keys."""
    with ended_by_signals(), _keys() as next_key:
        for line in lines:
            if line.is_step and next_key() in _QUITTING:
                return
            click.echo(line.text)


@contextmanager
def _keys() -> Iterator[Callable[[], bytes]]:
    """Yield what waits for a key; one that is pressed meanwhile waits too, and is not shown."""
    import termios
    import tty

    keyboard = sys.stdin.fileno()
    before = termios.tcgetattr(keyboard)
    tty.setcbreak(keyboard, termios.TCSADRAIN)
    try:
        yield lambda: _key(keyboard)
    finally:
        termios.tcsetattr(keyboard, termios.TCSADRAIN, before)


def _key(keyboard: int) -> bytes:
    """Wait for a key and return its first byte; those of arrows and the like have several."""
    key = os.read(keyboard, 1)
    if key == _ESCAPE and select.select([keyboard], [], [], _REST_S)[0]:
        os.read(keyboard, _LONGEST_REST)
    return key


@click.command(
    epilog=examples(
        "arena why configs/league.yaml my_bot",
        "arena why configs/league.yaml my_bot --against rules_bot --deals 20",
    )
)
@click.argument("path", metavar="CONFIG")
@click.argument("bot", metavar="BOT")
@click.option("--against", metavar="OTHER", help="Only its games with this bot.")
@click.option(
    "--deals",
    metavar="N",
    type=click.IntRange(0, _MOST_DEALS),
    default=5,
    show_default=True,
    help="How many of the costliest deals to show.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_obj
def why(
    output: Output, path: str, bot: str, against: str | None, deals: int, as_json: bool
) -> None:
    """Say why a bot lost: by which faults, and in which deals.

    BOT is a name, or a version such as monte@1. A deal's cost is what the other bot made more in
    its seat with the same cards in the other game of the board. Shown is the first decision that
    differed, in words, and the command that shows the deal.
    """
    from pathlib import Path

    from arena.report.why import lines
    from arena.store.reader import Reader
    from arena.tools.why import why as look
    from arena.tournament.config import load_config

    def command(game: str, deal: int) -> str:
        return output.command("replay", path, game, "--deal", str(deal))

    config = load_config(path, playing=False)
    with Reader.open(Path(config.results)) as reader:
        found = look(config, reader, bot, command, against=against, most=deals)
    if as_json:
        print_json(found)
        return
    for line in lines(found):
        click.echo(line)
