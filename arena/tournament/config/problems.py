"""How the problems of a config are shown: each with its place, its line and a caret."""

from __future__ import annotations

from collections.abc import Sequence
from unicodedata import category, east_asian_width

from arena.errors import ConfigError, Problem
from arena.text import count, visible

_SHOWN_WIDTH = 100
"""Most characters of a line that are shown."""
_CUT = "..."


def show_problems(path: str, problems: Sequence[Problem], number: int) -> str:
    """Return the text about the first `problems` of the file `path`, the number of all last.

    All but the first begin with ``error:``, so that the text reads well behind an ``error:``.
    """
    shown = "\nerror: ".join(_show(path, problem) for problem in problems)
    rest = f"; the first {len(problems)} are shown" if number > len(problems) else ""
    return f"{shown}\n{count(number, 'error')} in {visible(path)}{rest}"


def together(errors: Sequence[ConfigError]) -> ConfigError:
    """Return the problems of several files as one error."""
    problems = tuple(problem for error in errors for problem in error.problems)
    text = "\nerror: ".join(map(str, errors))
    return ConfigError(text, problems, sum(error.number for error in errors))


def _show(path: str, problem: Problem) -> str:
    key = f"{problem.key}: " if problem.key else ""
    head = visible(f"{path}:{problem.line}:{problem.column}: {key}{problem.text}")
    return f"{head}\n{_show_line(problem)}" if problem.source.strip() else head


def _show_line(problem: Problem) -> str:
    """Draw the line, or the part of it around the place, with a caret below."""
    is_long = len(problem.source) > _SHOWN_WIDTH
    start = max(0, problem.column - _SHOWN_WIDTH // 2) if is_long else 0
    stop = start + _SHOWN_WIDTH
    # One column for each character, also for what has none, or the caret would be off.
    part = "".join(c if c.isprintable() else " " for c in problem.source[start:stop])
    before = (_CUT if start else "") + part[: problem.column - 1 - start]
    line = before + part[problem.column - 1 - start :]
    line = line + _CUT if stop < len(problem.source) else line.rstrip()
    return f"{problem.line:6} | {line}\n{'':6} | {'':{sum(map(_width, before))}}^"


def _width(char: str) -> int:
    """How many columns of a terminal a character takes."""
    return 0 if category(char) in ("Mn", "Me") else 2 if east_asian_width(char) in "WF" else 1
