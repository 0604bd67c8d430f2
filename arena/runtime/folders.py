"""The private folders of jobs: made by the worker that plays, cleared up if it could not.

Nothing but where they lie may live here; what is in them is the business of whoever put it there.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

_LONGEST_FOLDER = 60
"""An ipc endpoint's path must stay under 108 bytes."""


def make_private_folder() -> Path:
    """Make a folder that only this user can enter, with a path short enough for a socket."""
    return Path(tempfile.mkdtemp(prefix=_prefix(os.getpid()), dir=_place()))


def clear_up_after(pid: int) -> None:
    """Remove the folders of a process that has ended, whatever ended it."""
    for folder in _place().glob(f"{_prefix(pid)}*"):
        shutil.rmtree(folder, ignore_errors=True)


def _prefix(pid: int) -> str:
    return f"arena-{pid}-"


def _place() -> Path:
    wanted = os.environ.get("XDG_RUNTIME_DIR") or tempfile.gettempdir()
    usable = len(wanted) <= _LONGEST_FOLDER and os.access(wanted, os.W_OK)
    return Path(wanted if usable else "/tmp")  # noqa: S108
