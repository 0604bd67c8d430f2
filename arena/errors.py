"""Whose fault an error is, by its type.

Only exceptions that reach a person live here, and nothing that knows a subsystem::

    ArenaError                 exit 3   something in the arena itself went wrong
    ├── UserError              exit 2   what a person wrote: a command, a config, a bot, a file
    │   ├── ConfigError        exit 2   all the errors of one config, in file order
    │   └── UnfitError         exit 1   a bot that is looked at does not play as it should
    ├── SurroundingsError      exit 4   the machine: a lock held, a full disk, a missing tool
    ├── IllegalActionError     exit 3   our own code applied an action that is not legal
    └── ReplayError            exit 1   a record does not follow the rules

A bot's misdeed is never an exception: it is a `Fault`, which is data (referee/fault.py).
"""

from __future__ import annotations

import errno
from typing import NamedTuple

_MISNAMED = (errno.EEXIST, errno.ENOTDIR, errno.EISDIR, errno.ENAMETOOLONG, errno.ELOOP)


class ArenaError(Exception):
    """The root: its text is fit to be shown as it is, its ``exit_code`` ends the command."""

    exit_code = 3


class UserError(ArenaError):
    """Something a person wrote or asked for cannot be done; the text says what to do instead."""

    exit_code = 2


class Problem(NamedTuple):
    """One error in a config: where (1-based line and column), which key, what is wrong."""

    line: int
    column: int
    key: str
    text: str
    source: str = ""
    """The line of the file, to be shown with it; empty: not to be shown."""
    file: str = ""
    """Where it is, if that is not the config itself but the ``bot.yaml`` of one of its bots."""


class ConfigError(UserError):
    """The problems of one config file, in file order; of very many the first."""

    def __init__(self, text: str, problems: tuple[Problem, ...], number: int) -> None:
        """Keep the problems beside the text that shows them; `number`: how many there are."""
        self.problems = problems
        self.number = number
        super().__init__(text)


class UnfitError(UserError):
    """A bot was tried and is at fault: nothing is wrong with what was asked for."""

    exit_code = 1


class SurroundingsError(ArenaError):
    """The machine does not give what a run needs; the text says what to change there."""

    exit_code = 4


class IllegalActionError(ArenaError):
    """`State.apply` was given an action that is not in `State.legal`."""


class ReplayError(ArenaError):
    """A record does not follow the rules: at which deal and action (from 0; None: the game)."""

    exit_code = 1

    def __init__(self, text: str, *, deal: int | None = None, action: int | None = None) -> None:
        """Keep the place beside the text."""
        self.deal = deal
        self.action = action
        super().__init__(text)


def is_misnamed(error: OSError) -> bool:
    """Whether a person named a place where that cannot be, and the machine would not refuse it."""
    return error.errno in _MISNAMED
