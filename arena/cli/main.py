"""The `arena` command itself: global options, and exceptions turned into exit codes.

0 done, 1 done with a finding, 2 usage or config, 3 internal, 4 the machine, 130/143 interrupted.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
import traceback
from collections.abc import Sequence
from typing import NoReturn

import click

import arena
from arena.cli.checking import check, explain
from arena.cli.comparing import compare
from arena.cli.completing import VARIABLE, answer, completion
from arena.cli.configs import config_group
from arena.cli.doctor import doctor
from arena.cli.looking import replay, why
from arena.cli.managing import list_tournaments, reset, stop
from arena.cli.matching import match
from arena.cli.output import Color, Output, close_stdout, code_of, say
from arena.cli.playing import play
from arena.cli.rating import rate
from arena.cli.reading import export, rankings, verify
from arena.cli.running import submit, tournament
from arena.cli.starting import init, new_bot
from arena.errors import ArenaError
from arena.text import brief, refusal

_STANDARD_STREAMS = (0, 1, 2)


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(arena.__version__, message="arena %(version)s")
@click.option("-C", "folder", type=click.Path(exists=True, file_okay=False), help="Work in DIR.")
@click.option("-q", "--quiet", is_flag=True, help="No progress and notices on stderr.")
@click.option("-v", "--verbose", is_flag=True, help="Show the traceback of an internal error.")
@click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    show_default=True,
    help="Colour; auto also obeys NO_COLOR and FORCE_COLOR.",
)
@click.option("--log-file", metavar="FILE", help="Write the log of a run to FILE too.")
@click.pass_context
def cli(
    context: click.Context,
    folder: str | None,
    quiet: bool,
    verbose: bool,
    color: Color,
    log_file: str | None,
) -> None:
    """Run tournaments between AI bots and rate them.

    Results go to stdout, progress and messages to stderr.
    """
    if log_file is not None and context.invoked_subcommand != tournament.name:
        raise click.UsageError("--log-file is for `arena tournament` only")
    if folder is not None:
        os.chdir(folder)
    context.obj = Output(
        quiet=quiet, verbose=verbose, color=color, folder=folder, log_file=log_file
    )


for _command in (
    init,
    new_bot,
    tournament,
    rankings,
    compare,
    match,
    rate,
    list_tournaments,
    stop,
    reset,
    check,
    explain,
    submit,
    export,
    verify,
    replay,
    why,
):
    cli.add_command(_command)
cli.add_command(config_group)
cli.add_command(doctor)
cli.add_command(play)
cli.add_command(completion)


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit."""
    _prepare_streams()
    if VARIABLE in os.environ:
        sys.exit(answer(cli, os.environ[VARIABLE]))
    sys.exit(_run(sys.argv[1:] if arguments is None else list(arguments)))


def _prepare_streams() -> None:
    """Give closed streams somewhere to go; write what a terminal's letters lack in escapes.

    Else the results file or a socket could get the number of a stream, and be written to as one.
    """
    for number in _STANDARD_STREAMS:
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # gets the lowest free number: this one
    sys.stdout = sys.stdout or open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = sys.stderr or open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _run(arguments: list[str]) -> int:
    verbose = "-v" in arguments or "--verbose" in arguments
    try:
        # Not cli.main, which would take interruptions and broken pipes into its own hands.
        with cli.make_context("arena", arguments) as context:
            code = cli.invoke(context)
        sys.stdout.flush()
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - the last line of defence
        # A library that is interrupted while it is loaded says that it cannot be loaded.
        cause = error.__cause__
        told = cause if isinstance(cause, KeyboardInterrupt) else error
        return _ended_by(told, verbose=verbose)
    return code if isinstance(code, int) else 0


def _ended_by(error: BaseException, *, verbose: bool) -> int:
    """Say what a person must know of an exception; return the exit code it stands for."""
    match error:
        case click.exceptions.Exit() | click.Abort() | KeyboardInterrupt():
            pass
        case click.ClickException():
            with contextlib.suppress(OSError):  # nobody listens
                error.show()
        case ArenaError():
            say(f"error: {error}")
        case OSError():
            _cut_short(error, verbose=verbose)
        case _:
            _internal(error, verbose=verbose)
    return code_of(error)


def _cut_short(error: OSError, *, verbose: bool) -> None:
    """Handle a stream or file that the machine refused, most often stdout."""
    close_stdout()
    if isinstance(error, BrokenPipeError):
        return
    if verbose:
        traceback.print_exception(error)
    what = brief(os.fsdecode(error.filename or "the output"))  # only streams have no name
    say(f"error: {what} cannot be used: {refusal(error)}")


def _internal(error: BaseException, *, verbose: bool) -> None:
    if verbose:
        traceback.print_exception(error)
    say(f"internal error: {type(error).__name__}: {error}")
    if not verbose:
        say("This is a fault of arena itself; run `arena -v ...` for the details to report.")
