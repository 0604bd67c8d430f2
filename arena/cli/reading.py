"""Commands that read: `rankings`, `export`, `verify`."""

from __future__ import annotations

import sys
from contextlib import closing
from typing import TYPE_CHECKING, BinaryIO

import click

from arena.cli.output import Output, examples, print_json
from arena.errors import UserError
from arena.text import count

if TYPE_CHECKING:
    from arena.tournament.config import Config

_FOUND = 1
_SHOWN_FINDINGS = 20


@click.command(
    epilog=examples(
        "arena rankings configs/quick.yaml",
        "arena rankings --differences configs/quick.yaml",
        "arena rankings --json configs/quick.yaml",
    )
)
@click.argument("path", metavar="CONFIG")
@click.option("--differences", is_flag=True, help="Print the differences of each two bots instead.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, with all of it.")
@click.pass_obj
def rankings(output: Output, path: str, differences: bool, as_json: bool) -> None:
    """Print the table of a tournament, finished or running.

    What the columns mean is explained in arena/ratings/README.md. With --differences it is told
    of each two bots how far apart they are, how sure that is, and who is better how surely.
    """
    from pathlib import Path

    from arena.cli.tables import show_standings
    from arena.store.reader import Reader
    from arena.tools.rankings import current_standings
    from arena.tournament.config import load_config

    config = load_config(path, playing=False)
    with Reader.open(Path(config.results)) as reader:
        standings = current_standings(config, reader)
    if differences and as_json:
        raise click.UsageError("--json has the differences already")
    show_standings(standings, output, as_json=as_json, differences=differences)
    if not as_json:
        progress = standings.progress
        closed = "; revealed, so this tournament is closed" if progress.closed else ""
        output.notice(f"cards committed: {progress.commitment}{closed}")


@click.command(
    epilog=examples(
        "arena export configs/quick.yaml > games.jsonl",
        "arena export --notes --times configs/quick.yaml",
        "arena export --reveal configs/league.yaml > games.jsonl",
    )
)
@click.argument("path", metavar="CONFIG")
@click.option("--times", is_flag=True, help="Add the times of actions, of CPU and of lag.")
@click.option("--notes", is_flag=True, help="Add what the bots noted.")
@click.option("--all", "everything", is_flag=True, help="Add stored games that do not count.")
@click.option("--void", is_flag=True, help="List the voids instead.")
@click.option(
    "--reveal",
    is_flag=True,
    help="Publish the secret of the cards. This closes the tournament for good.",
)
@click.option("--yes", is_flag=True, help="With --reveal: do not ask if games are missing.")
@click.pass_obj
def export(
    output: Output,
    path: str,
    times: bool,
    notes: bool,
    everything: bool,
    void: bool,
    reveal: bool,
    yes: bool,
) -> None:
    """Print every game that counts, one JSON line each.

    They come in the order of the schedule, and a last line says what they are. Only games of the
    bots' present versions count. A line that --all adds has "counts": false.

    With --reveal everybody can check the cards by `arena verify --seed`, but nothing more can be
    played, as the cards of all games to come would be known.
    """
    from pathlib import Path

    from arena.store.reader import Reader
    from arena.tools.export import export_lines, void_lines
    from arena.tournament.config import load_config

    if void and (times or notes or everything or reveal):
        raise click.UsageError("--void goes with no other option")
    if yes and not reveal:
        raise click.UsageError("--yes goes with --reveal only")
    config = load_config(path, playing=False)
    if reveal:
        _reveal(config, _bots_of(path), output, sure=yes)
    with Reader.open(Path(config.results)) as reader:
        lines = (
            void_lines(reader)
            if void
            else export_lines(config, reader, times=times, notes=notes, everything=everything)
        )
        with closing(lines):  # before the reader, also if nobody reads on
            for line in lines:
                sys.stdout.buffer.write(line + b"\n")


def _bots_of(path: str) -> list[str]:
    """Return the names of the bots in a config, if their files are still there."""
    from arena.tournament.config import load_config

    try:
        return [bot.name for bot in load_config(path).bots]
    except UserError:
        return []


def _reveal(config: Config, bots: list[str], output: Output, *, sure: bool) -> None:
    from arena.tools.reveal import reveal

    def may_end(lost: str) -> None:
        text = f"{config.name} has {lost}, which then never can be"
        if sure:
            return
        if not (sys.stdin.isatty() and sys.stderr.isatty()):
            raise UserError(f"{text}; add --yes to reveal its secret all the same")
        question = f"{text}. Reveal its secret all the same?"
        output.ask(question, otherwise="nothing was revealed")

    if reveal(config, bots, may_end):
        output.notice(f"{config.name} is closed: its secret is in the last line of this export")


@click.command(
    epilog=examples(
        "arena verify games.jsonl",
        "arena verify --seed games.jsonl",
        "arena export configs/quick.yaml | arena verify -",
    )
)
@click.argument("file", metavar="FILE")
@click.option("--seed", is_flag=True, help="Derive every deal again from the revealed secret.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def verify(file: str, seed: bool, as_json: bool) -> int:
    """Replay every game of an export and name what is wrong.

    FILE is what `arena export` printed; - is stdin. The exit code is 1 if anything is wrong, or if
    games were stored without their actions, so that they cannot be replayed.
    """
    from arena.tools import verify as tool

    with _open_twice(file) as lines:
        end = None
        if seed:
            end = tool.find_end(lines)
            lines.seek(0)
        found = tool.verify(lines, end=end)
    if as_json:
        print_json(found)
        return _FOUND if found.findings or found.not_replayed else 0
    for finding in found.findings[:_SHOWN_FINDINGS]:
        click.echo(str(finding))
    if found.findings:
        number = len(found.findings)
        cut = f", the first {_SHOWN_FINDINGS} are shown" if number > _SHOWN_FINDINGS else ""
        click.echo(f"{count(number, 'finding')}{cut}; {count(found.games, 'game')} read")
        return _FOUND
    derived = ", every deal derived from the secret" if found.derived else ""
    read = f"{count(found.games, 'game')}, {count(found.deals, 'deal')}"
    if found.not_replayed:
        without = count(found.not_replayed, "game")
        why = "stored without actions (output.records)"
        click.echo(f"{read} read, but {without} cannot be replayed: {why}")
        return _FOUND
    click.echo(f"ok: {read} follow the rules{derived}")
    return 0


def _open_twice(file: str) -> BinaryIO:
    """Open a file, or - for stdin, so that it can be read from the beginning again."""
    try:
        opened = open(0 if file == "-" else file, "rb")  # noqa: SIM115, PTH123 - the caller closes it
    except OSError as error:
        raise UserError(f"{file}: {error.strerror}") from error
    if opened.seekable():
        return opened
    import shutil
    import tempfile

    spool = tempfile.TemporaryFile()  # noqa: SIM115
    with opened:
        shutil.copyfileobj(opened, spool)
    spool.seek(0)
    return spool
