"""How whoever starts bots gets a caretaker: one that sweeps up if its owner is killed.

What may live here: its start and its dismissal. What it does meanwhile is in caretaker.py.
"""

from __future__ import annotations

import os
import select
import subprocess
import sys
from contextlib import suppress

from arena.errors import SurroundingsError
from arena.runtime.caretaker import DISMISSAL
from arena.runtime.folders import sweep
from arena.runtime.worker_process import own_path
from arena.text import refusal

_LONGEST_GOODBYE_S = 5.0
"""How long is waited for a caretaker that has nothing more to wait for."""
_AS_AN_ORPHAN = '"$@" &'
"""A shell starts it and ends at once: nobody whose children are killed takes it along."""


class Caretaker:
    """A process that looks after what is left if its owner, and all its workers, are killed."""

    def __init__(self) -> None:
        """Sweep up after others, and start it; it is no child of ours, nor to be adopted.

        Raises `SurroundingsError` if the machine gives no process.
        """
        sweep()
        end, self.lifeline = os.pipe()
        """Whoever holds this open is one of those whose end is waited for."""
        self._gone, alive = os.pipe()  # it holds the other end until it is gone
        self._is_dismissed = False
        try:
            _start(end, alive)
        except SurroundingsError:
            os.close(self.lifeline)
            os.close(self._gone)
            raise
        finally:
            os.close(end)
            os.close(alive)

    def dismiss(self) -> None:
        """Let it go when all bots and workers have gone, and see it go; may be repeated."""
        if not self._is_dismissed:
            self._is_dismissed = True
            with suppress(BrokenPipeError):  # somebody has killed it
                os.write(self.lifeline, DISMISSAL)
            os.close(self.lifeline)
            select.select([self._gone], [], [], _LONGEST_GOODBYE_S)
            os.close(self._gone)


def _start(end: int, alive: int) -> None:
    """Start one that reads `end` and holds `alive`, and see that it has no parent."""
    program = [sys.executable, "-P", "-m", "arena.runtime.caretaker", str(end)]
    try:
        starter = subprocess.Popen(
            ["/bin/sh", "-c", _AS_AN_ORPHAN, "sh", *program],
            env={**_few_variables(), "PYTHONPATH": own_path()},
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=[end, alive],
            start_new_session=True,
        )
    except OSError as error:
        raise SurroundingsError(f"no process can be started: {refusal(error)}") from error
    if starter.wait():
        raise SurroundingsError("no process can be started")


def _few_variables() -> dict[str, str]:
    """Return where folders may be, and nothing else of the environment."""
    names = ("XDG_RUNTIME_DIR", "TMPDIR", "PATH")
    return {name: os.environ[name] for name in names if name in os.environ}
