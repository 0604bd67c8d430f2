"""What the levels of isolation and the endpoints rest on here: tools and libraries by version."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import zmq

from arena.runtime.folders import private_folder
from arena.runtime.isolation.confined import tool
from arena.runtime.isolation.trees import bubblewrap

_PATIENCE_S = 10.0


def zmq_version() -> str:
    """Return the version of libzmq."""
    return zmq.zmq_version()


def tool_versions() -> dict[str, str | None]:
    """Return the versions of the tools that confine bots, by package; None: it is not there."""
    return {"bubblewrap": _version(bubblewrap()), "util-linux": _version(tool("setpriv"))}


def private_place() -> Path:
    """Return the folder in which jobs make theirs; raises `OSError` if there is none."""
    with private_folder() as folder:
        return folder.parent


def _version(program: str | None) -> str | None:
    if program is None:
        return None
    try:
        done = subprocess.run(
            [program, "--version"],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_PATIENCE_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return "unknown"
    found = re.search(r"\d+(\.\d+)+", done.stdout)
    return found[0] if found else "unknown"
