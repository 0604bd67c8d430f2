"""The `arena` command itself: global options, and exceptions turned into exit codes.

0 done, 1 done with a finding, 2 usage or config, 3 internal, 4 the machine, 130/143 interrupted.
"""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Sequence
from typing import NoReturn

import click

import arena
from arena.cli.configs import config
from arena.cli.output import Color, Output
from arena.cli.reading import export, rankings, verify
from arena.cli.running import submit, tournament
from arena.errors import ArenaError

_INTERRUPTED = 130
_BROKEN_PIPE = 141


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
@click.pass_context
def cli(
    context: click.Context, folder: str | None, quiet: bool, verbose: bool, color: Color
) -> None:
    """Run tournaments between AI bots and rate them.

    Results go to stdout, progress and messages to stderr.
    """
    if folder is not None:
        os.chdir(folder)
    context.obj = Output(quiet=quiet, verbose=verbose, color=color)


for _command in (tournament, rankings, submit, export, verify, config):
    cli.add_command(_command)


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit."""
    sys.exit(_run(sys.argv[1:] if arguments is None else list(arguments)))


def _run(arguments: list[str]) -> int:
    try:
        code = cli.main(arguments, prog_name="arena", standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        return _INTERRUPTED
    except ArenaError as error:
        _say(f"error: {error}")
        return error.exit_code
    except BrokenPipeError:
        # Whoever read us has gone; Python must not try to flush what nobody wants.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _BROKEN_PIPE
    except Exception as error:  # noqa: BLE001 - the last line of defence
        return _internal(error, verbose="-v" in arguments or "--verbose" in arguments)
    return code if isinstance(code, int) else 0


def _internal(error: Exception, *, verbose: bool) -> int:
    if verbose:
        traceback.print_exc()
    _say(f"internal error: {type(error).__name__}: {error}")
    if not verbose:
        _say("This is a fault of arena itself; run `arena -v ...` for the details to report.")
    return ArenaError.exit_code


def _say(text: str) -> None:
    click.echo(text, err=True)
