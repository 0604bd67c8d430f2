"""How the problems of a config are shown: each with its place, its line and a caret."""

from __future__ import annotations

from collections.abc import Sequence
from unicodedata import combining, east_asian_width

from arena.errors import Problem
from arena.text import count, visible

_SHOWN_WIDTH = 100
"""Most characters of a line that are shown."""


def show_problems(path: str, problems: Sequence[Problem]) -> str:
    """Return the text about all problems of the file `path`, the number of them last.

    All but the first begin with ``error:``, so that the text reads well behind an ``error:``.
    """
    shown = "\nerror: ".join(_show(path, problem) for problem in problems)
    return f"{shown}\n{count(len(problems), 'error')} in {path}"


def _show(path: str, problem: Problem) -> str:
    key = f"{problem.key}: " if problem.key else ""
    head = visible(f"{path}:{problem.line}:{problem.column}: {key}{problem.text}")
    return f"{head}\n{_show_line(problem)}" if problem.source else head


def _show_line(problem: Problem) -> str:
    """Draw the line, or the part of it around the place, with a caret below."""
    is_long = len(problem.source) > _SHOWN_WIDTH
    start = max(0, problem.column - _SHOWN_WIDTH // 2) if is_long else 0
    part = problem.source[start : start + _SHOWN_WIDTH].rstrip()
    # One column for each character, also for what has none, or the caret would be off.
    line = "".join(c if c.isprintable() else " " for c in part)
    caret = sum(_width(c) for c in line[: problem.column - 1 - start])
    return f"{problem.line:6} | {line}\n{'':6} | {'':{caret}}^"


def _width(char: str) -> int:
    """How many columns of a terminal a character takes."""
    return 0 if combining(char) else 2 if east_asian_width(char) in "WF" else 1
