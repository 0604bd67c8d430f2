"""What stands between a bot and the machine: a level is a value that yields a launcher chain.

One level exists so far: `none` gives a bot its own session and dies with its worker; it protects
from nothing hostile.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

import msgspec

from arena.errors import SurroundingsError

_KEPT_VARIABLES = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ")


class Isolation(msgspec.Struct, frozen=True):
    """One level, as it can be had on this machine."""

    name: str
    chain: tuple[str, ...]
    """The words that go before a bot's command line."""


def isolation(name: str) -> Isolation:
    """Return the level `name`; raises `SurroundingsError` if it is not to be had here."""
    if name == "none":
        return Isolation(name, _dies_with_its_worker())
    raise SurroundingsError(f"there is no isolation level {name!r}")


def _dies_with_its_worker() -> tuple[str, ...]:
    """Return the words that let Linux kill a bot when its worker dies, whatever killed that.

    Other systems have nothing like it: there a bot outlives a worker that is killed, until the
    coordinator notices, as a bot does here that was only about to ask for it (folders.py).
    """
    if sys.platform != "linux":
        return ()
    setpriv = shutil.which("setpriv")
    if setpriv is not None:
        return (setpriv, "--pdeathsig", "KILL", "--")
    return (sys.executable, "-I", "-S", str(Path(__file__).with_name("launch.py")))


def scrubbed_environment(
    *, endpoint: str, token: str, private_folder: Path, extra: Mapping[str, str]
) -> dict[str, str]:
    """Return the whole environment of a bot process: an allow-list, never the arena's own.

    String hashing is fixed, so that a Python bot that goes through a set does not change its mind
    from run to run.
    """
    kept = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
    return {
        **kept,
        "HOME": str(private_folder),
        "TMPDIR": str(private_folder),
        "PYTHONHASHSEED": "0",
        "PYTHONNOUSERSITE": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        **extra,
        "ARENA_ENDPOINT": endpoint,
        "ARENA_TOKEN": token,
    }
