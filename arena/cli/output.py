"""What every command shares in speaking: quiet, colour, JSON."""

from __future__ import annotations

import contextlib
import os
import shlex
import sys
from typing import TYPE_CHECKING, Literal, NamedTuple, TextIO

import click

from arena.errors import ArenaError, SurroundingsError, UserError, is_misnamed
from arena.text import visible, visible_lines

if TYPE_CHECKING:
    from pathlib import Path

_ANSWERED_NO = 1
_INTERRUPTED = 130
_BROKEN_PIPE = 141

Color = Literal["auto", "always", "never"]


class Output(NamedTuple):
    """The global options that concern output."""

    quiet: bool
    verbose: bool
    color: Color
    folder: str | None = None
    """Where to work, as it was given."""
    log_file: str | None = None
    """Where the log of a run goes too."""

    def notice(self, text: str) -> None:
        """Tell a person something that is not the result."""
        if not self.quiet:
            say(text)

    def ask(self, question: str, *, otherwise: str) -> None:
        """Ask a person; if the answer is no, tell `otherwise` and end the command.

        Ctrl-C is no answer, but leaves the terminal at the beginning of a line.
        """
        try:
            is_sure = click.confirm(question, err=True)
        except click.Abort:
            click.echo(err=True)
            self.notice(otherwise)
            raise
        if not is_sure:
            self.notice(otherwise)
            raise click.exceptions.Exit(_ANSWERED_NO)

    def command(self, *words: str) -> str:
        """Return a command for a person to run where this one was run."""
        where = () if self.folder is None else ("-C", self.folder)
        return shlex.join(("arena", *where, *words))

    @property
    def colored(self) -> bool:
        """Whether stderr gets colour."""
        return self.colors(sys.stderr)

    def colors(self, stream: TextIO) -> bool:
        """Whether a stream gets colour: the option, then the environment, then the terminal."""
        if self.color != "auto":
            return self.color == "always"
        if os.environ.get("NO_COLOR"):
            return False
        return bool(os.environ.get("FORCE_COLOR")) or stream.isatty()


def say(text: str) -> None:
    """Print to stderr, if it still can be: no run ends because nobody listens.

    Paths and the like may hold anything, so what could steer a terminal is written out.
    """
    with contextlib.suppress(OSError):
        click.echo(visible_lines(text), err=True)


def close_stdout() -> None:
    """Print no more: what could not be written must not be tried again at Python's end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def examples(*commands: str) -> str:
    """Return the end of a command's help: how it is used, one line each."""
    return "\n".join(("\b", "Examples:", *(f"  {command}" for command in commands)))


def code_of(error: BaseException) -> int:
    """Return the exit code of a command that an error has ended."""
    match error:
        case click.ClickException() | click.exceptions.Exit() | ArenaError():
            return error.exit_code
        case click.Abort() | KeyboardInterrupt():
            return _INTERRUPTED
        case SystemExit(code=int(code)):
            return code
        case BrokenPipeError():
            return _BROKEN_PIPE
        case OSError():
            kind = UserError if is_misnamed(error) else SurroundingsError
            return kind.exit_code
    return ArenaError.exit_code


def shown(path: Path) -> str:
    """Show a path as short as it is from here."""
    relative = os.path.relpath(path)
    return visible(str(path) if relative.startswith("..") else relative)


def print_json(value: object) -> None:
    """Print one JSON object on a line of its own."""
    import msgspec

    click.echo(msgspec.json.encode(value).decode())
