"""What one bot process is given. Only values may stand here."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from arena.referee.clock import Limits


class Cell(msgspec.Struct, frozen=True):
    """One bot process: the little it gets of the machine, and how much. Paths are absolute."""

    program: str
    """The program's file."""
    snapshot: str
    """The folder where it runs, which it may only read."""
    home: str
    """A folder of its own, empty at first, which goes when it goes."""
    endpoint: str
    """The socket where the arena listens to it."""
    private: str
    """The private folder (folders.py) below which home and endpoint are."""
    limits: Limits
    number: int
    """Its processes are known by it (marks.py)."""
    user: int | None = None
    """The user it is to be, and its group; None: the one that runs the arena."""
    shows_program: bool = False
    """Whether it may see the folder that its program is installed in (`BotSpec.shows_program`)."""
    variables: Mapping[str, str] = {}
    """What it wants to have in its environment: it alone, not what confines it."""
    writes: bool = False
    """Whether it may change its snapshot after all: it is no bot yet, but a copy being built."""
