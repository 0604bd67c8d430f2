"""A person at the table: what is typed, what is shown, until the game is over or is left."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from textwrap import fill
from typing import Any, NamedTuple

import click
from msgspec.structs import replace

from arena.cli.output import Output, shown
from arena.errors import SurroundingsError, UserError
from arena.referee.fault import Fault
from arena.referee.replay import changed_options
from arena.report import guides
from arena.text import visible
from arena.tools.play import saved, screen
from arena.tools.play.commands import KEYS, Typed, understand
from arena.tools.play.course import Course, Reply
from arena.tools.play.opponent import Adviser, Opponent
from arena.tools.play.saved import Saved

_FOUND = 1
_WIDTH = 100
_RED = re.compile(r"(?:10|[7-9JQKA])?[♥♦]")
_HEAD = re.compile(r"^Deal .*$", re.MULTILINE)


class Place(NamedTuple):
    """Where a game is kept."""

    file: Path | None
    """None: it was not saved yet."""
    record: Path | None
    """None: it is not to be recorded."""


class Sitting:
    """A person, a bot and what lies between them."""

    def __init__(
        self,
        output: Output,
        game: Saved,
        course: Course,
        opponent: Opponent,
        adviser: Adviser,
        place: Place,
    ) -> None:
        self._output = output
        self._game = game
        self._course = course
        self._opponent = opponent
        self._adviser = adviser
        self._place = place
        self._keyboard = _Keyboard()
        self._colored = output.colors(sys.stdout)

    def play(self) -> int:
        """Play until the game is over or the person leaves; return the exit code."""
        setup = self._course.setup
        self._say(f"You play {setup.bot}. ? explains, q leaves.")
        try:
            while self._course.asked is not None:
                if not self._course.is_persons_turn:
                    self._let_bot_choose()
                elif not self._let_person_choose():
                    return 0
        except (SystemExit, OSError):  # by a signal, wherever that was; or the terminal has gone
            with suppress(OSError):
                click.echo()
            self._leave()
            raise
        return self._end()

    def _let_bot_choose(self) -> None:
        course = self._course
        answer = self._opponent.choose(course, course.due)
        if isinstance(answer, Fault):
            course.lose(answer)
        else:
            course.take(answer)

    def _let_person_choose(self) -> bool:
        """Ask the person until something is chosen or gone back; False: the person has left."""
        course = self._course
        self._say_all([*screen.past(course), *screen.present(course)])
        is_warned = False
        while True:
            typed = self._read()
            may_stay = typed.kind == "quit" and not is_warned
            is_warned = False
            match typed.kind:
                case "action":
                    course.take(Reply(typed.text))
                    return True
                case "undo":
                    before = course.back()
                    if before is not None:
                        self._course = before
                        return True
                    self._say("This is your first decision: there is nothing to undo.")
                case "quit" | "end":
                    is_warned = not self._leave(may_stay=may_stay)
                    if not is_warned:
                        return False
                case _:
                    self._help_out(typed)

    def _read(self) -> Typed:
        """Return what the person types next."""
        asked = self._course.due
        view: Any = asked.view
        line = self._keyboard.line(f"{view.phase}> ")
        if line is None:
            click.echo()
            return Typed("end")
        return understand(line, self._course.setup.rules.name, asked.view, asked.legal)

    def _help_out(self, typed: Typed) -> None:
        """Do what leaves the game as it is."""
        match typed.kind:
            case "refused":
                self._say(typed.text)
            case "help":
                self._explain()
            case "hint":
                self._advise()
            case "save":
                try:
                    self._say(f"Saved in {shown(self._save(typed.text))}.")
                except (UserError, SurroundingsError) as error:
                    self._say(visible(str(error)))

    def _explain(self) -> None:
        rules = self._course.setup.rules
        text = guides.load(rules.name).help(self._course.due.view, rules.options)
        self._say(fill(text, _WIDTH))
        self._say(f"Answer by number, card (JD, 10h) or word, or its beginning.   {KEYS}")

    def _advise(self) -> None:
        self._say(screen.hint(self._course, self._adviser.name, self._adviser.advise(self._course)))

    def _save(self, text: str) -> Path:
        """Save the game where the person says, or where it is kept; return where that is."""
        place = self._place
        file = Path(text) if text else place.file or saved.free_file(self._course.setup.bot)
        if text:
            saved.check_place(file)
        saved.save(replace(self._game, replies=self._course.replies), file)
        self._place = place._replace(file=file)
        return file

    def _leave(self, *, may_stay: bool = False) -> bool:
        """Keep what there is, and say on stderr how to go on: there may be no other place.

        False: it could not be kept, and the person may stay and say where else. Raises
        `SurroundingsError` if it could not and nobody can be asked.
        """
        if self._course.back() is None:
            self._output.notice(f"Nothing was chosen. The same cards again:  {self._again()}")
            return True
        try:
            file = shown(self._save(""))
        except SurroundingsError as error:
            if may_stay:
                self._say(f"{visible(str(error))}.")
                self._say("`s FILE` saves it elsewhere, `q` once more leaves without it.")
                return False
            self._output.notice(f"The same cards again:  {self._again()}")
            raise
        self._output.notice(f"saved in {file}")
        self._output.notice(f"To continue:  {self._output.command('play', '--continue', file)}")
        return True

    def _end(self) -> int:
        course, place = self._course, self._place
        self._say_all(screen.end(course))
        self._opponent.tell_end(course)
        self._output.notice(f"The same cards again:  {self._again()}")
        if place.record is not None:
            saved.record(course, place.record)
            self._output.notice(f"recorded: {shown(place.record)}")
        return _FOUND if course.fault is not None else 0

    def _again(self) -> str:
        """Return the command that plays the same cards."""
        game, rules = self._game, self._course.setup.rules
        words = ["play", "--seed", game.seed]
        words += ["--seat", "1"] if game.seat else []
        words += ["--config", shown(Path(game.config))] if game.config else []
        for key, value in changed_options(rules.options).items():
            text = value if isinstance(value, str) else str(value).lower()
            words += ["--option", f"{key}={text}"]
        return self._output.command(*words, shown(Path(game.bot)))

    def _say_all(self, lines: Iterable[str]) -> None:
        for line in lines:
            self._say(line)

    def _say(self, text: str) -> None:
        click.echo(_painted(text) if self._colored else text, color=self._colored)


def _painted(text: str) -> str:
    """Return text with the cards of the red suits in red and heads in bold letters."""
    heads = _HEAD.sub(lambda head: f"\x1b[1m{head[0]}\x1b[22m", text)
    return _RED.sub(lambda card: f"\x1b[31m{card[0]}\x1b[39m", heads)


class _Keyboard:
    """Where lines come from: a terminal, where they can be edited, or anything else."""

    def __init__(self) -> None:
        self._stream = sys.stdin or io.StringIO()  # it may have been closed
        if isinstance(self._stream, io.TextIOWrapper):
            self._stream.reconfigure(errors="replace")
        self._is_typed = self._stream.isatty()
        self._is_edited = self._is_typed and sys.stdout.isatty()
        if self._is_edited:
            with suppress(ImportError):  # where it is missing, lines are edited by the terminal
                import readline  # noqa: F401 - that is what `input` uses if it is there

    def line(self, prompt: str) -> str | None:
        """Return the next line; None: there is none any more."""
        if self._is_edited:
            with suppress(EOFError):
                return input(prompt)
            return None
        if self._is_typed:
            click.echo(prompt, nl=False)
        line = self._stream.readline()
        if not self._is_typed:  # else the terminal has shown it already
            click.echo(f"{prompt}{visible(line.rstrip())}", nl=bool(line))
        return line or None
