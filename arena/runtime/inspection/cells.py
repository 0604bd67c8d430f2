"""Where the probe runs: cells as bots have them, and some that nothing is promised of."""

from __future__ import annotations

import os
import shutil
import sys
from contextlib import ExitStack
from pathlib import Path

from arena.referee.clock import Limits
from arena.runtime import probe
from arena.runtime.inspection.lures import listen
from arena.runtime.isolation import Cell, Isolation, scrubbed_environment
from arena.runtime.isolation.marks import number_of

UNCONFINED = Isolation("none", ())
"""What an attack must get through to say anything."""
_PROBE = "probe.py"
_TOKEN = "none"  # noqa: S105 - it is nobody's


class Cells:
    """Makes cells in a private folder; each has a seat of its own."""

    def __init__(self, folder: Path, closing: ExitStack) -> None:
        """Copy the probe to where all of them run; endpoints are open until `closing` is closed."""
        self.folder = folder
        self._closing = closing
        self._snapshot = folder / "snapshot"
        self._snapshot.mkdir()
        self._snapshot.chmod(0o755)
        shutil.copyfile(probe.__file__, self._snapshot / _PROBE)
        (self._snapshot / _PROBE).chmod(0o644)

    def new(self, level: Isolation, seat: int) -> Cell:
        """Return a cell as `Peer` makes it; nobody listens at its endpoint yet."""
        own = self.folder / str(seat)
        home = own / "home"
        home.mkdir(parents=True)
        return Cell(
            program=sys.executable,
            snapshot=str(self._snapshot),
            home=str(home),
            endpoint=str(own / "endpoint"),
            private=str(self.folder),
            limits=Limits(),
            number=number_of(os.getpid(), seat, 0),
            user=level.user_of(os.getpid(), seat),
        )

    def ready(self, level: Isolation, seat: int) -> Cell:
        """Return a cell for a bot that is to be started."""
        cell = self.new(level, seat)
        listen(self._closing, cell.endpoint)
        level.admit(cell)
        return cell


def command(*words: str) -> list[str]:
    """Return the command line of the probe, which needs only the standard library."""
    return [sys.executable, "-I", "-S", "-u", _PROBE, *words]


def environment(level: Isolation, cell: Cell) -> dict[str, str]:
    """Return the whole environment of a bot in a cell."""
    return scrubbed_environment(endpoint=level.endpoint(cell), token=_TOKEN, home=level.home(cell))
